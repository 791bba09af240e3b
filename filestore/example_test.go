package filestore_test

import (
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/kubeckpt/ckpt/filestore"
)

func ExampleOpen() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	store, err := filestore.Open(filepath.Join(dir, "checkpoints"))
	if err != nil {
		log.Fatal(err)
	}
	if err := store.Probe(); err != nil { // full? read-only?
		log.Fatal(err)
	}
	if err := store.Write("claims", []byte("v1")); err != nil {
		log.Fatal(err)
	}
	value, err := store.Read("claims")
	fmt.Printf("%s %v\n", value, err)
	_, err = store.Read("devices")
	fmt.Println(err == filestore.ErrKeyNotFound)
	// Output:
	// v1 <nil>
	// true
}

func ExampleStore_Update() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	store, err := filestore.Open(dir)
	if err != nil {
		log.Fatal(err)
	}
	for range 3 {
		err := store.Update("log", func(old []byte) ([]byte, error) {
			return append(old, "line\n"...), nil
		})
		if err != nil {
			log.Fatal(err)
		}
	}
	value, _ := store.Read("log")
	fmt.Printf("%s", value)
	// Output:
	// line
	// line
	// line
}

func ExampleNotDurableError() {
	retry := func(store *filestore.Store, key string, value []byte) error {
		err := store.Write(key, value)
		var notDurable *filestore.NotDurableError
		if errors.As(err, &notDurable) {
			// Readers see the new value. Write all of it again before relying on it.
			err = store.Write(key, value)
		}
		return err
	}
	_ = retry
}
