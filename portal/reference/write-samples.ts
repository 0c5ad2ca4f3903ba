// One request in four languages, as a reader would paste it: their own token, everything else from the document's examples.
export type SampleRequest = {
  method: string
  url: string
  contentType: string | undefined
  /** JSON, or a form that is already encoded. */
  body: string | undefined
  auth: 'none' | 'token' | 'client'
}

export function writeSamples(request: SampleRequest) {
  return { curl: curl(request), JavaScript: javaScript(request), Python: python(request), PHP: php(request) }
}

function curl({ method, url, contentType, body, auth }: SampleRequest): string {
  return [
    `curl -X ${method} ${shell(url)}`,
    auth === 'token' && `-H "Authorization: Bearer $TOKEN"`,
    auth === 'client' && `-u "$CLIENT_ID:$CLIENT_SECRET"`,
    contentType && `-H 'Content-Type: ${contentType}'`,
    body && `--data ${shell(body)}`,
  ]
    .filter(Boolean)
    .join(' \\\n  ')
}

function javaScript({ method, url, contentType, body, auth }: SampleRequest): string {
  const headers = [
    auth === 'token' && `    Authorization: \`Bearer \${token}\`,`,
    auth === 'client' && `    Authorization: \`Basic \${btoa(\`\${clientId}:\${clientSecret}\`)}\`,`,
    contentType && `    'Content-Type': ${JSON.stringify(contentType)},`,
  ].filter(Boolean)
  const isJson = contentType === 'application/json'
  return [
    `const response = await fetch(${JSON.stringify(url)}, {`,
    `  method: ${JSON.stringify(method)},`,
    headers.length > 0 && ['  headers: {', ...headers, '  },'].join('\n'),
    body && `  body: ${isJson ? `JSON.stringify(${indent(body, '  ')})` : JSON.stringify(body)},`,
    '})',
    'const answer = await response.json()',
  ]
    .filter(Boolean)
    .join('\n')
}

function python({ method, url, contentType, body, auth }: SampleRequest): string {
  const isJson = contentType === 'application/json'
  return [
    'import requests\n',
    `response = requests.request(`,
    `    ${JSON.stringify(method)},`,
    `    ${JSON.stringify(url)},`,
    auth === 'token' && '    headers={"Authorization": f"Bearer {token}"},',
    auth === 'client' && '    auth=(client_id, client_secret),',
    body && isJson && `    json=${indent(pythonValue(JSON.parse(body)), '    ')},`,
    body && !isJson && `    data=${JSON.stringify(body)},`,
    body && !isJson && `    headers={"Content-Type": ${JSON.stringify(contentType)}},`,
    '    timeout=30,',
    ')',
    'answer = response.json()',
  ]
    .filter(Boolean)
    .join('\n')
}

function php({ method, url, contentType, body, auth }: SampleRequest): string {
  const headers = [
    auth === 'token' && `        "Authorization: Bearer {$token}",`,
    contentType && `        'Content-Type: ${contentType}',`,
  ].filter(Boolean)
  const isJson = contentType === 'application/json'
  return [
    `$curl = curl_init(${phpString(url)});`,
    'curl_setopt_array($curl, [',
    `    CURLOPT_CUSTOMREQUEST => ${phpString(method)},`,
    '    CURLOPT_RETURNTRANSFER => true,',
    auth === 'client' && '    CURLOPT_USERPWD => "{$clientId}:{$clientSecret}",',
    headers.length > 0 && ['    CURLOPT_HTTPHEADER => [', ...headers, '    ],'].join('\n'),
    body &&
      `    CURLOPT_POSTFIELDS => ${isJson ? `json_encode(${indent(phpValue(JSON.parse(body)), '    ')})` : phpString(body)},`,
    ']);',
    '$answer = json_decode(curl_exec($curl), true);',
  ]
    .filter(Boolean)
    .join('\n')
}

function shell(value: string): string {
  return `'${value.replaceAll("'", `'\\''`)}'`
}

function phpString(value: string): string {
  return `'${value.replace(/['\\]/g, '\\$&')}'`
}

function pythonValue(value: unknown): string {
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (value === null) return 'None'
  return nested(value, pythonValue, { list: ['[', ']'], map: ['{', '}'], pair: (key) => `${JSON.stringify(key)}: ` })
}

function phpValue(value: unknown): string {
  if (typeof value === 'string') return phpString(value)
  return nested(value, phpValue, { list: ['[', ']'], map: ['[', ']'], pair: (key) => `${phpString(key)} => ` })
}

type Brackets = [open: string, close: string]
type Notation = { list: Brackets; map: Brackets; pair: (key: string) => string }

function nested(value: unknown, write: (value: unknown) => string, { list, map, pair }: Notation): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const [open, close] = Array.isArray(value) ? list : map
  const lines = Array.isArray(value)
    ? value.map(write)
    : Object.entries(value).map(([key, entry]) => pair(key) + write(entry))
  return lines.length === 0
    ? open + close
    : `${open}\n    ${lines.map((line) => indent(line, '    ')).join(',\n    ')},\n${close}`
}

function indent(lines: string, by: string): string {
  return lines.replaceAll('\n', `\n${by}`)
}
