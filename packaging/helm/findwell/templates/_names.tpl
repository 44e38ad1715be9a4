{{- define "findwell.labels" -}}
app.kubernetes.io/name: findwell
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "findwell.selector" -}}
app.kubernetes.io/name: findwell
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "findwell.name" -}}
{{- if contains "findwell" .Release.Name }}{{ .Release.Name | trunc 50 }}{{ else }}{{ printf "%s-findwell" .Release.Name | trunc 50 }}{{ end }}
{{- end }}
