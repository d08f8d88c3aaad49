// SPDX-License-Identifier: MPL-2.0

//go:build unix

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/spf13/pflag"
)

// gh is a fake GitHub CLI with the subcommands "api", "run download" and
// "release download".
func gh() {
	flags := pflag.NewFlagSet("gh", pflag.ExitOnError)
	method := flags.String("method", "GET", "")
	field := flags.String("field", "", "")
	shown := flags.String("template", "", "")
	dir := flags.String("dir", ".", "")
	name := flags.String("name", "", "")
	pattern := flags.String("pattern", "", "")
	flags.Bool("silent", false, "")
	flags.Bool("paginate", false, "")
	flags.String("repo", "", "")
	_ = flags.Parse(os.Args[1:])
	args := flags.Args()
	err := fmt.Errorf("gh %s: unknown command", strings.Join(args, " "))
	switch {
	case args[0] == "api":
		err = ghAPI(*method, args[1], *field, *shown)
	case args[0] == "run" && args[1] == "download":
		err = ghDownload(path.Join("runs", args[2], *name), filepath.Join(*dir, "plan.openpai"))
	case args[0] == "release" && args[1] == "download":
		err = ghDownload(path.Join("releases", *pattern), filepath.Join(*dir, *pattern))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func ghAPI(method, resource, field, shown string) error {
	var body io.Reader
	if file, ok := strings.CutPrefix(field, "body=@"); ok {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		sent, err := json.Marshal(map[string]string{"body": string(text)})
		if err != nil {
			return err
		}
		body = strings.NewReader(string(sent))
	}
	content, err := ghRequest(method, resource, body)
	if err != nil || shown == "" {
		return err
	}
	var value any
	if err := json.Unmarshal(content, &value); err != nil {
		return err
	}
	parsed, err := template.New("").Parse(shown)
	if err != nil {
		return err
	}
	return parsed.Execute(os.Stdout, value)
}

func ghDownload(resource, to string) error {
	content, err := ghRequest(http.MethodGet, resource, nil)
	if err != nil {
		return err
	}
	return errors.Join(os.MkdirAll(filepath.Dir(to), 0o700), os.WriteFile(to, content, 0o600))
}

func ghRequest(method, resource string, body io.Reader) ([]byte, error) {
	request, err := http.NewRequest(method, os.Getenv("GITHUB_API_URL")+"/"+resource, body)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("GH_TOKEN"))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s %s: %s", method, resource, response.Status)
	}
	return content, err
}
