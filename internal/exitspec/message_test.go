// SPDX-License-Identifier: MPL-2.0

package exitspec

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/openpai/terraform-provider-openpai/internal/metrics"
)

type readMessage struct {
	Metrics        map[string]float64 `yaml:"metrics"`
	CPUSeconds     float64            `yaml:"cpuSeconds"`
	PeakMemory     int64              `yaml:"peakMemoryBytes"`
	Fetched        []string           `yaml:"fetched"`
	ExitCode       int                `yaml:"exitCode"`
	UserCode       int                `yaml:"originUserExitCode"`
	MatchedUser    string             `yaml:"matchedUserLogString"`
	MatchedRuntime string             `yaml:"matchedPlatformLogString"`
	GPU            struct {
		ECC bool `yaml:"nvidiaDoubleEccError"`
	} `yaml:"matchedGpuInfo"`
	Logs struct {
		User     string `yaml:"user"`
		Platform string `yaml:"platform"`
	} `yaml:"errorLogs"`
	Reason string `yaml:"reason"`
	Stage  string `yaml:"stage"`
	Step   string `yaml:"step"`
	Phrase string `yaml:"phrase"`
	Hint   Hint   `yaml:"hint"`
	Advice string `yaml:"advice"`
}

// read is as strict as the strictest reader in the cluster.
func read(t *testing.T, message []byte) readMessage {
	t.Helper()
	if len(message) > MessageLimit {
		t.Fatalf("message of %d bytes", len(message))
	}
	if n := bytes.Count(message, []byte(markerStart)); n != 2 {
		t.Fatalf("%d markers", n)
	}
	if !utf8.Valid(message) {
		t.Fatal("the message is not UTF-8")
	}
	body, ok := strings.CutPrefix(string(message), MessageStart+"\n")
	if !ok {
		t.Fatalf("no start marker in %q", message)
	}
	body, ok = strings.CutSuffix(body, MessageEnd+"\n")
	if !ok {
		t.Fatalf("no end marker in %q", message)
	}
	var got readMessage
	dec := yaml.NewDecoder(strings.NewReader(body))
	dec.KnownFields(true)
	if err := dec.Decode(&got); err != nil {
		t.Fatalf("%v\n%s", err, body)
	}
	return got
}

func TestTheMessageHasTheLastLinesOfTheLogs(t *testing.T) {
	t.Parallel()
	user := []byte("one\ntwo\nthree\nfour\n  File \"x.py\"\nSyntaxError: bad \"thing\"\r\n\x1b[31mred\x1b[0m\tend\n 10%\r 50%\r100%\n\n")
	runtime := []byte("[d] [openpai-runtime] [INFO] USER COMMAND START\n")
	m := Analyze(Input{ExitCode: 1, ECC: true, UserLog: user, RuntimeLog: runtime})
	got := read(t, Message(Record{Code: m.Code, UserCode: 1, Reason: `it "failed"`, Stage: "commands", Step: "prerequisite.data.x"}, m, user, runtime))
	want := readMessage{ExitCode: 231, UserCode: 1, MatchedUser: `SyntaxError: bad "thing"`, Reason: `it "failed"`, Stage: "commands", Step: "prerequisite.data.x"}
	want.GPU.ECC = true
	want.Logs.User = "one\ntwo\nthree\nfour\n  File \"x.py\"\nSyntaxError: bad \"thing\"\nred\tend\n100%"
	want.Logs.Platform = "[d] [openpai-runtime] [INFO] USER COMMAND START"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("message (-want +got)\n%s", diff)
	}
}

func TestMessageSaysWhatOnlyTheClusterKnows(t *testing.T) {
	t.Parallel()
	unknown, _ := Lookup(CodeUnknown)
	for name, c := range map[string]struct {
		r      Record
		phrase string
		hint   Hint
		advice string
	}{
		"a code of the cluster":                {Record{Code: 161, Phrase: "LicenseServerDown", Hint: HintReadRuntimeLog, Advice: "ask #licenses"}, "LicenseServerDown", "", "ask #licenses"},
		"advice of the cluster":                {Record{Code: CodeUnknown, Phrase: unknown.Phrase, Hint: unknown.Hint, Advice: "ask #gpus"}, "", "", "ask #gpus"},
		"phrase and hint of the specification": {Record{Code: CodeUnknown, Phrase: unknown.Phrase, Hint: unknown.Hint}, "", "", ""},
		"a code without an explanation":        {Record{Code: 161, Phrase: "ClusterExit161", Hint: HintAskMeaning}, "ClusterExit161", HintAskMeaning, ""},
		"a success":                            {Record{Phrase: "Succeeded"}, "", "", ""},
	} {
		got := read(t, Message(c.r, Match{}, nil, nil))
		if got.Phrase != c.phrase || got.Hint != c.hint || got.Advice != c.advice {
			t.Errorf("%s: %q, %q, %q", name, got.Phrase, got.Hint, got.Advice)
		}
	}
}

func TestAMessageKeepsFieldsThatNeedManyEscapes(t *testing.T) {
	t.Parallel()
	quotes := strings.Repeat(`"`, 3000)
	r := Record{Code: 161, Reason: quotes, Stage: quotes, Step: quotes, Phrase: quotes, Advice: quotes}
	got := read(t, Message(r, Match{UserLine: quotes}, []byte(quotes), []byte(quotes)))
	if got.Reason == "" || got.Advice == "" || got.Logs.User == "" {
		t.Errorf("message %+v", got)
	}
}

func TestMessageShowsTheLinesAroundAMatch(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	for i := range 100 {
		fmt.Fprintf(&log, "line %d\n", i)
		if i == 50 {
			log.WriteString("Signal code: Address not mapped\n")
		}
	}
	m := Analyze(Input{ExitCode: 1, UserLog: []byte(log.String())})
	lines := strings.Split(read(t, Message(Record{Code: m.Code}, m, []byte(log.String()), nil)).Logs.User, "\n")
	if len(lines) != maxUserLines || lines[0] != "line 48" || lines[3] != "Signal code: Address not mapped" || lines[14] != "line 61" {
		t.Errorf("lines %q", lines)
	}
}

func TestMessageWithoutAMatchShowsTheEnd(t *testing.T) {
	t.Parallel()
	log := []byte(strings.Repeat("early\n", 50) + "late 1\nlate 2\n")
	got := read(t, Message(Record{Code: 255, UserCode: 3}, Analyze(Input{ExitCode: 3}), log, log))
	user, platform := strings.Split(got.Logs.User, "\n"), strings.Split(got.Logs.Platform, "\n")
	if len(user) != maxUserLines || len(platform) != maxRuntimeLines || user[14] != "late 2" || platform[9] != "late 2" {
		t.Errorf("user log: %d lines %q; runtime log: %d lines %q", len(user), user, len(platform), platform)
	}
}

// Message must omit parts in the documented order while the message grows.
func TestMessageDropsInAFixedOrder(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 1500)
	m := Match{UserLine: "u" + long, RuntimeLine: "p" + long}
	user, runtime := []byte(strings.Repeat("user "+long+"\n", 3)), []byte(strings.Repeat("platform "+long+"\n", 3))
	got := read(t, Message(Record{Code: 255}, m, user, runtime))
	if got.MatchedUser != m.UserLine || got.MatchedRuntime != m.RuntimeLine {
		t.Error("a matched line was cut although it fits")
	}
	if got.Logs.User == "" || got.Logs.Platform != "" {
		t.Errorf("user log %d bytes, platform log %d bytes; want the platform log shortened first", len(got.Logs.User), len(got.Logs.Platform))
	}
	m = Match{UserLine: strings.Repeat("u", 5000), RuntimeLine: strings.Repeat("p", 5000)}
	got = read(t, Message(Record{Code: 255}, m, user, runtime))
	if len(got.MatchedUser) != maxMatched || got.MatchedRuntime == "" || got.Logs.User != "" {
		t.Errorf("matching lines of %d and %d bytes, user log of %d bytes; want the user log omitted first", len(got.MatchedUser), len(got.MatchedRuntime), len(got.Logs.User))
	}
}

func TestTheMessageOfAnyLogFitsAndReads(t *testing.T) {
	t.Parallel()
	kinds := map[string][]string{
		"short ASCII":    {"ok", "error: no", "", "done"},
		"Chinese":        {"训练失败:内存不足", "数据", strings.Repeat("深", 700)},
		"binary":         {"\xff\xfe\x00\x01", "\x80abc\xc3", strings.Repeat("\xf0\x9f", 300)},
		"ANSI and tabs":  {"\x1b[1;31mfail\x1b[0m\t", "\x1b]0;title\x07", "\t\tindented", "\x1b[2K\x1b"},
		"progress":       {"1%\r2%\r" + strings.Repeat("#", 500) + "\r100%", "\r", "a\r\n"},
		"YAML look-like": {"- a: b", "---", "...", "#", "key: |", "  ", "%TAG", "\u2028\u2029\ufeff\u0085", MessageEnd, MessageStart},
		"long ASCII":     {strings.Repeat("x", 5000), strings.Repeat("lorem ", 900)},
	}
	for name, pieces := range kinds {
		t.Run(name, func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(1, 2))
			for range 400 {
				user, runtime := randomLog(rnd, pieces), randomLog(rnd, pieces)
				m := Match{UserLine: sanitize(randomLog(rnd, pieces)), RuntimeLine: sanitize(randomLog(rnd, pieces)), ecc: rnd.IntN(2) == 0}
				r := Record{Code: 255, UserCode: rnd.IntN(256), Reason: string(randomLog(rnd, pieces)), Step: string(randomLog(rnd, pieces)), Stage: "commands"}
				got := read(t, Message(r, m, user, runtime))
				if got.ExitCode != 255 || got.UserCode != r.UserCode {
					t.Fatalf("codes %d %d", got.ExitCode, got.UserCode)
				}
			}
		})
	}
}

func randomLog(rnd *rand.Rand, pieces []string) []byte {
	var log bytes.Buffer
	for range rnd.IntN(40) {
		log.WriteString(pieces[rnd.IntN(len(pieces))])
		if rnd.IntN(3) > 0 {
			log.WriteByte('\n')
		}
	}
	return log.Bytes()
}

func TestMessageHasTheMetricsBesideEverythingElse(t *testing.T) {
	long := strings.Repeat("x", 5000)
	values := metrics.Values{}
	for i := range metrics.MaxNames {
		values[fmt.Sprintf("%s%d", strings.Repeat("n", 30), i)] = 0.25
	}
	for name, r := range map[string]Record{
		"a failed prerequisite": {Code: 255, UserCode: 1, Reason: long, Step: long, Stage: "prerequisites", Advice: long, Metrics: values, CPUSeconds: 1e6, PeakMemoryBytes: 1 << 50},
		"a success":             {Metrics: values},
	} {
		got := Message(r, Match{UserLine: long}, []byte(long), []byte(long))
		read(t, got)
		if !bytes.Contains(got, append([]byte("\nmetrics: "), values.Encode()...)) {
			t.Errorf("%s: no metrics in\n%s", name, got)
		}
	}
}

func FuzzMessage(f *testing.F) {
	f.Add([]byte("a\nb"), []byte("\x1b[0m\xff"), "reason: \"x\\\n")
	f.Fuzz(func(t *testing.T, user, runtime []byte, reason string) {
		m := Analyze(Input{ExitCode: 1, UserLog: user, RuntimeLog: runtime})
		read(t, Message(Record{Code: m.Code, UserCode: 1, Reason: reason}, m, user, runtime))
	})
}
