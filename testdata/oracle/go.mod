module github.com/kubeckpt/ckpt/testdata/oracle

go 1.21
