{{/* Where the data is, for every command: variables of a container, its mounts, and the volumes of its pod. */}}

{{- define "findwell.locations" -}}
- name: FINDWELL_DATABASE
  value: {{ required "database.url is required" .Values.database.url | quote }}
- name: FINDWELL_ANALYTICS_DATABASE
  value: {{ required "database.analyticsUrl is required" .Values.database.analyticsUrl | quote }}
- name: FINDWELL_DATABASE_PASSWORD_FILE
  value: /etc/findwell/secrets/database-password
- name: FINDWELL_MASTER_KEY_FILE
  value: /etc/findwell/secrets/master.key
{{- with .Values.search }}
{{- if .urls }}
- name: FINDWELL_SEARCH
  value: {{ join "," .urls | quote }}
- name: FINDWELL_SEARCH_PREFIX
  value: {{ .prefix | quote }}
{{- if .user }}
- name: FINDWELL_SEARCH_USER
  value: {{ .user | quote }}
- name: FINDWELL_SEARCH_PASSWORD_FILE
  value: /etc/findwell/secrets/search
{{- else if .secret }}
- name: FINDWELL_SEARCH_API_KEY_FILE
  value: /etc/findwell/secrets/search
{{- end }}
{{- if .authorities }}
- name: FINDWELL_SEARCH_CA_FILE
  value: /etc/findwell/search-authorities/ca.crt
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{- define "findwell.mounts" -}}
- name: temporary
  mountPath: /tmp
- name: secrets
  mountPath: /etc/findwell/secrets
  readOnly: true
{{- if .Values.database.authorities }}
- name: authorities
  mountPath: /etc/findwell/authorities
  readOnly: true
{{- end }}
{{- if and .Values.search.urls .Values.search.authorities }}
- name: search-authorities
  mountPath: /etc/findwell/search-authorities
  readOnly: true
{{- end }}
{{- end }}

{{- define "findwell.volumes" -}}
- name: temporary
  emptyDir:
    sizeLimit: 1Gi
- name: secrets
  projected:
    defaultMode: 0440
    sources:
      - secret:
          name: {{ .Values.database.password.secret }}
          items:
            - key: {{ .Values.database.password.key }}
              path: database-password
      - secret:
          name: {{ .Values.masterKey.secret }}
          items:
            - key: {{ .Values.masterKey.key }}
              path: master.key
      {{- if and .Values.search.urls .Values.search.secret }}
      - secret:
          name: {{ .Values.search.secret }}
          items:
            - key: {{ .Values.search.key }}
              path: search
      {{- end }}
{{- if .Values.database.authorities }}
- name: authorities
  configMap:
    name: {{ .Values.database.authorities }}
{{- end }}
{{- if and .Values.search.urls .Values.search.authorities }}
- name: search-authorities
  configMap:
    name: {{ .Values.search.authorities }}
{{- end }}
{{- end }}
