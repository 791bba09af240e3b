package migrate_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/kubeckpt/ckpt/migrate"
)

type inner struct {
	Kept int `json:"kept,omitempty"`
}

type everything struct {
	inner
	Plain  string
	Named  []byte           `json:"named"`
	Map    map[int64]*inner `json:"map,omitzero"`
	Text   int              `json:",string"`
	Left   string           `json:"-"`
	When   time.Time        `json:"when"`
	Any    any              `json:"any"`
	Self   []everything     `json:"self"`
	hidden int
	Pair   [2]bool           `json:"pair"`
	Embeds map[string]string `json:"embeds"`
	Number json.Number       `json:"number"`
	Keys   map[json.Number]int
}

func TestShape(t *testing.T) {
	_ = everything{}.hidden
	want := `{kept int omitempty, Plain string, named []uint8, map {int64: *{kept int omitempty}} omitzero, Text int string, ` +
		`when time.Time, any any, self []migrate_test.everything, pair [2]bool, embeds {string: string}, number json.Number, Keys {string: int}}`
	if got := migrate.First[everything]("v1").Shape(); got != want {
		t.Errorf("shape is\n%s\nwant\n%s", got, want)
	}
	want = "{claims {string: {string: {pool string, share string omitempty}}} omitempty}"
	if got := sampleVersions()[2].Shape(); got != want {
		t.Errorf("shape is\n%s\nwant\n%s", got, want)
	}
}
