// SPDX-License-Identifier: MPL-2.0

package spelling

import (
	"regexp"
	"strings"
)

// british maps patterns of British word stems to American stems.
var british = map[string]string{
	"analys(e|ed|es|er|ers|ing)": "analyz", "artefact": "artifact", "authoris": "authoriz", "behaviour": "behavior",
	"cancell(ed|ing|er|able)": "cancel", "canonicalis": "canonicaliz", "capitalis": "capitaliz", "catalogue": "catalog",
	"categoris": "categoriz", "centre": "center", "colour": "color", "customis": "customiz", "defence": "defense",
	"deserialis": "deserializ", "dialled": "dialed", "dialling": "dialing", "dialogue": "dialog", "favour": "favor", "finalis": "finaliz",
	"fulfil(s|ment)?$": "fulfill", "generalis": "generaliz", "grey": "gray", "harbour": "harbor", "honour": "honor",
	"initialis": "initializ", "judgement": "judgment", "labell(ed|ing|er)": "label", "licence": "license", "localis": "localiz",
	"marshall(ed|ing|er)": "marshal", "materialis": "materializ", "maximis": "maximiz", "memoris": "memoriz", "minimis": "minimiz",
	"misspelt": "misspelled", "modell(ed|ing|er)": "model", "neighbour": "neighbor", "normalis": "normaliz", "offence": "offense", "optimis": "optimiz",
	"organis(e|ed|es|er|ing|ation)": "organiz", "parallelis(e|ed|es|ing|ation)": "paralleliz", "prioritis": "prioritiz", "programme$": "program",
	"randomis": "randomiz", "realis(e|ed|es|ing|ation)": "realiz", "recognis": "recogniz", "sanitis": "sanitiz", "serialis": "serializ",
	"signall(ed|ing|er)": "signal", "specialis": "specializ", "spelt": "spelled", "standardis": "standardiz", "summaris": "summariz",
	"synchronis": "synchroniz", "tokenis": "tokeniz", "travell(ed|ing|er)": "travel", "unmarshall(ed|ing|er)": "unmarshal",
	"utilis": "utiliz", "virtualis": "virtualiz", "visualis": "visualiz",
}

var forms = func() map[*regexp.Regexp]string {
	all := make(map[*regexp.Regexp]string, len(british))
	for stem, american := range british {
		all[regexp.MustCompile("^"+stem)] = american
	}
	return all
}()

// American returns the American stem of a British word, or "" if the word is not British.
func American(word string) string {
	word = strings.ToLower(word)
	for form, american := range forms {
		if form.MatchString(word) {
			return american
		}
	}
	return ""
}
