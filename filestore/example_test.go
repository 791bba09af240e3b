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

// A person has looked at a file and replaces it; then regrets it.
func ExampleStore_Replace() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	store, err := filestore.Open(dir)
	if err != nil {
		log.Fatal(err)
	}
	if err := store.Write("claims", []byte("old")); err != nil {
		log.Fatal(err)
	}
	seen, err := store.Read("claims")
	if err != nil {
		log.Fatal(err)
	}
	backup, err := store.Replace("claims", seen, []byte("new"))
	if err != nil {
		log.Fatal(err)
	}
	kept, err := os.ReadFile(backup)
	fmt.Printf("%s %v\n", kept, err)
	_, err = store.Replace("claims", seen, []byte("newer"))
	fmt.Println(errors.Is(err, filestore.ErrChanged))
	// Output:
	// old <nil>
	// true
}

func ExampleStore_Restore() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	store, err := filestore.Open(dir, filestore.WithHistory(2))
	if err != nil {
		log.Fatal(err)
	}
	for _, value := range []string{"good", "bad", "worse"} {
		if err := store.Write("claims", []byte(value)); err != nil {
			log.Fatal(err)
		}
	}
	_, err = store.Restore("claims", func(data []byte) error {
		if string(data) != "good" {
			return errors.New("not good")
		}
		return nil
	})
	value, _ := store.Read("claims")
	fmt.Printf("%s %v\n", value, err)
	// Output:
	// good <nil>
}
