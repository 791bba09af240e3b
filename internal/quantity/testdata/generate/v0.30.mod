module github.com/kubeckpt/ckpt/internal/quantity/testdata/generate

go 1.26

require (
	k8s.io/apimachinery v0.30.14
	k8s.io/utils v0.0.0-20261023123148-ca04ba58ecab
)

require github.com/kubeckpt/ckpt v0.0.0

require (
	github.com/davecgh/go-spew v1.1.2-0.20180830191138-d8f796af33cc // indirect
	github.com/gogo/protobuf v1.3.2 // indirect
	gopkg.in/inf.v0 v0.9.1 // indirect
)

replace github.com/kubeckpt/ckpt => ../../../..
