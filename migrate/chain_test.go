package migrate_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/kubeckpt/ckpt/migrate"
)

func TestBadChains(t *testing.T) {
	var noStep func(*claimsV1) (*claimsV2, []migrate.Loss, error)
	v1 := migrate.First[claimsV1]("v1")
	for want, versions := range map[string][]migrate.Version{
		"at least one":              {},
		`has the id ""`:             {{}},
		`has the id "latest"`:       {migrate.First[claimsV1]("latest")},
		`has the id "v01"`:          {migrate.First[claimsV1]("v01")},
		`the id "1", want a name`:   {migrate.First[claimsV1]("1")},
		`the id "v 1", want a name`: {migrate.First[claimsV1]("v 1")},
		`id "v\n1", want a name`:    {migrate.First[claimsV1]("v\n1")},
		`id "v\x001", want a name`:  {migrate.First[claimsV1]("v\x001")},
		`id "v\xff1", want a name`:  {migrate.First[claimsV1]("v\xff1")},
		"has a step down":           {migrate.Next("v2", v1ToV2, v2ToV1)},
		`"v1" does not follow`:      {v1, migrate.Next("v1", v1ToV2, v2ToV1)},
		`"x2" does not follow`:      {v1, migrate.Next("x2", v1ToV2, v2ToV1)},
		"lacks a step":              {v1, migrate.Next("v2", noStep, v2ToV1)},
		`but "v1" is`:               {v1, migrate.Next("v2", v2ToV3, v3ToV2)},
		`"v2" lacks a step from or`: {v1, migrate.First[claimsV2]("v2")},
	} {
		if c, err := migrate.NewChain(versions...); err == nil || c != nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an error with %q", err, want)
		}
	}
}

func TestVersionsThatAreNotKnown(t *testing.T) {
	chain := sample(t)
	for id, newer := range map[string]bool{
		"v5": true, "v40": true, "v4": false,
		"v0": false, "w5": false, "": false, "5": false, "v05": false, "v99999999999999999999": false,
	} {
		_, err := chain.Version(id)
		var newerErr *migrate.NewerVersionError
		var unknown *migrate.UnknownVersionError
		switch {
		case id == "v4":
			if err != nil {
				t.Error(err)
			}
		case newer && (!errors.As(err, &newerErr) || newerErr.Found != id || newerErr.Newest != "v4" || !strings.Contains(err.Error(), "newer version")):
			t.Errorf("%q: %v", id, err)
		case !newer && (!errors.As(err, &unknown) || len(unknown.Known) != 4):
			t.Errorf("%q: %v", id, err)
		}
		if _, _, cerr := chain.Convert(&claimsV4{}, "v4", id); id != "v4" && cerr == nil {
			t.Errorf("converted to %q", id)
		}
		if _, _, cerr := chain.Convert(&claimsV4{}, id, "v4"); id != "v4" && cerr == nil {
			t.Errorf("converted from %q", id)
		}
		if _, derr := chain.Decode(id, []byte("{}")); id != "v4" && derr == nil {
			t.Errorf("decoded %q", id)
		}
	}
}

func TestDocumentsOfTheWrongType(t *testing.T) {
	for _, doc := range []any{nil, (*claimsV1)(nil), claimsV1{}, &claimsV2{}, "x"} {
		if _, _, err := sample(t).Convert(doc, "v1", "v2"); err == nil || !strings.Contains(err.Error(), "documents of type *migrate_test.claimsV1") {
			t.Errorf("%T: %v", doc, err)
		}
	}
}

func TestStepErrors(t *testing.T) {
	boom := errors.New("boom")
	chain, err := migrate.NewChain(
		migrate.First[claimsV1]("v1"),
		migrate.Next("v2", v1ToV2, func(*claimsV2) (*claimsV1, []migrate.Loss, error) { return nil, nil, boom }),
		migrate.Next("v3", v2ToV3, func(*claimsV3) (*claimsV2, []migrate.Loss, error) { return nil, nil, nil }),
	)
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = chain.Convert(&claimsV2{}, "v2", "v1")
	var step *migrate.StepError
	if !errors.Is(err, boom) || !errors.As(err, &step) || step.From != "v2" || step.To != "v1" {
		t.Error(err)
	}
	if _, _, err = chain.Convert(&claimsV3{}, "v3", "v1"); err == nil || !strings.Contains(err.Error(), "no document") {
		t.Error(err)
	}
}

func TestVersionData(t *testing.T) {
	chain := sample(t)
	v1, err := chain.Version("v1")
	if err != nil {
		t.Fatal(err)
	}
	if v1.Names()[v1.Type()] != "main.Claims" || v1.Type().Name() != "claimsV1" {
		t.Errorf("%v of %v", v1.Names(), v1.Type())
	}
	v1.Names()[v1.Type()] = "changed"
	if v1.Names()[v1.Type()] != "main.Claims" {
		t.Error("a caller can change the names of a version")
	}
	if chain.Newest().ID() != "v4" {
		t.Error(chain.Newest().ID())
	}
}
