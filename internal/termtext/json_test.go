package termtext

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
)

func TestJSON(t *testing.T) {
	value := map[string]string{"a\u009bb": "c\u202ed\u007f\u200b\U000e0041", "plain": "é漢😀 \"q\" \\ \x1b"}
	plain, err := json.MarshalIndent(value, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := JSONWriter(&b).Write(plain); err != nil {
		t.Fatal(err)
	}
	for _, r := range b.String() {
		if !visible(r) && r != '\n' && r != '\t' {
			t.Errorf("%U is left in %s", r, b.String())
		}
	}
	if again := JSON(b.Bytes()); !bytes.Equal(again, b.Bytes()) {
		t.Errorf("%s, and in a second go %s", b.Bytes(), again)
	}
	var back map[string]string
	if err := json.Unmarshal(b.Bytes(), &back); err != nil || !reflect.DeepEqual(back, value) {
		t.Errorf("%v: %q, want %q", err, back, value)
	}
}
