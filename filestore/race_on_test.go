//go:build race

package filestore_test

const underRace = true
