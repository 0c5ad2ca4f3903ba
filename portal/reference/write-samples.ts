// One request in four languages. Samples build on one another: the token and the ids that one of them gets are what the
// next one sends, so that token → generate → code → read runs as pasted, in one shell or one file.

/** Variables that a sample sets, and the samples after it use. Written `{creditReportId}` in addresses and bodies. */
const VARIABLES = {
  token: { shell: 'TOKEN', python: 'token' },
  creditReportId: { shell: 'CREDIT_REPORT_ID', python: 'credit_report_id' },
  challengeId: { shell: 'CHALLENGE_ID', python: 'challenge_id' },
  webhookId: { shell: 'WEBHOOK_ID', python: 'webhook_id' },
  linkId: { shell: 'LINK_ID', python: 'link_id' },
  deliveryId: { shell: 'DELIVERY_ID', python: 'delivery_id' },
} as const
type Variable = keyof typeof VARIABLES

export type SampleRequest = {
  method: string
  url: string
  contentType: string | undefined
  /** JSON, or a form that is already encoded. */
  body: string | undefined
  /** `client`: an API client's id and secret, from the environment. */
  auth: 'token' | 'client'
  /** True when JSON comes back; an answer without a body has its status only. */
  isAnswered: boolean
  /** The place of a variable in the answer. */
  sets: { [name in Variable]?: readonly string[] }
}

export function writeSamples(request: SampleRequest) {
  return { curl: curl(request), JavaScript: javaScript(request), Python: python(request), PHP: php(request) }
}

function curl({ method, url, contentType, body, auth, sets }: SampleRequest): string {
  const call = [
    `curl -s -X ${method} ${shell(url)}`,
    auth === 'token' ? `-H "Authorization: Bearer $TOKEN"` : `-u "$CLIENT_ID:$CLIENT_SECRET"`,
    contentType && `-H 'Content-Type: ${contentType}'`,
    body && `--data ${shell(body)}`,
  ]
    .filter(Boolean)
    .join(' \\\n  ')
  const names = entriesOf(sets)
  if (names.length === 0) return call
  const taken = names.map(([name, path]) => `${VARIABLES[name].shell}=$(jq -r .${path.join('.')} <<< "$ANSWER")`)
  return [`ANSWER=$(${call})`, ...taken].join('\n')
}

function javaScript({ method, url, contentType, body, auth, isAnswered, sets }: SampleRequest): string {
  const isJson = contentType === 'application/json'
  const basic = `\`Basic \${btoa(\`\${process.env.CLIENT_ID}:\${process.env.CLIENT_SECRET}\`)}\``
  const call = [
    `await fetch(${template(url)}, {`,
    `  method: ${JSON.stringify(method)},`,
    '  headers: {',
    `    Authorization: ${auth === 'token' ? `\`Bearer \${token}\`` : basic},`,
    contentType && `    'Content-Type': ${JSON.stringify(contentType)},`,
    '  },',
    body && `  body: ${isJson ? `JSON.stringify(${indent(javaScriptValue(body), '  ')})` : JSON.stringify(body)},`,
    `}).then((response) => ${isAnswered ? 'response.json()' : 'response.status'})`,
  ]
    .filter(Boolean)
    .join('\n')
  const names = entriesOf(sets)
  return names.length === 0 ? `console.log(${call})` : `const ${destructure(names)} = ${call}`
}

function python({ method, url, contentType, body, auth, isAnswered, sets }: SampleRequest): string {
  const isJson = contentType === 'application/json'
  return [
    auth === 'client' ? 'import os\nimport requests\n' : 'import requests\n',
    'answer = requests.request(',
    `    ${JSON.stringify(method)},`,
    `    ${pythonString(url)},`,
    auth === 'token'
      ? '    headers={"Authorization": f"Bearer {token}"},'
      : '    auth=(os.environ["CLIENT_ID"], os.environ["CLIENT_SECRET"]),',
    body && isJson && `    json=${indent(pythonValue(JSON.parse(body)), '    ')},`,
    body && !isJson && `    data=${indent(pythonValue(Object.fromEntries(new URLSearchParams(body))), '    ')},`,
    '    timeout=30,',
    isAnswered ? ').json()' : ').status_code',
    ...entriesOf(sets).map(
      ([name, path]) => `${VARIABLES[name].python} = answer${path.map((key) => `["${key}"]`).join('')}`,
    ),
    'print(answer)',
  ]
    .filter(Boolean)
    .join('\n')
}

function php({ method, url, contentType, body, auth, isAnswered, sets }: SampleRequest): string {
  const isJson = contentType === 'application/json'
  const headers = [
    auth === 'token' && '        "Authorization: Bearer {$token}",',
    contentType && `        'Content-Type: ${contentType}',`,
  ].filter(Boolean)
  return [
    `$curl = curl_init(${phpString(url)});`,
    'curl_setopt_array($curl, [',
    `    CURLOPT_CUSTOMREQUEST => ${phpString(method)},`,
    '    CURLOPT_RETURNTRANSFER => true,',
    auth === 'client' && `    CURLOPT_USERPWD => getenv('CLIENT_ID') . ':' . getenv('CLIENT_SECRET'),`,
    headers.length > 0 && ['    CURLOPT_HTTPHEADER => [', ...headers, '    ],'].join('\n'),
    body &&
      `    CURLOPT_POSTFIELDS => ${isJson ? `json_encode(${indent(phpValue(JSON.parse(body)), '    ')})` : phpString(body)},`,
    ']);',
    isAnswered
      ? '$answer = json_decode(curl_exec($curl), true);'
      : 'curl_exec($curl);\n$answer = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);',
    ...entriesOf(sets).map(([name, path]) => `$${name} = $answer${path.map((key) => `['${key}']`).join('')};`),
    'print_r($answer);',
  ]
    .filter(Boolean)
    .join('\n')
}

function entriesOf(sets: SampleRequest['sets']): [Variable, readonly string[]][] {
  return Object.entries(sets) as [Variable, readonly string[]][]
}

const ANY_VARIABLE = Object.keys(VARIABLES).join('|')
const IN_TEXT = new RegExp(`\\{(${ANY_VARIABLE})\\}`, 'g')
const WHOLE_TEXT = new RegExp(`^\\{(${ANY_VARIABLE})\\}$`)

function fill(text: string, write: (name: Variable) => string): string {
  return text.replace(IN_TEXT, (_whole, name: Variable) => write(name))
}

/** The variable that a value consists of. */
function variableOf(value: unknown): Variable | null {
  const name = typeof value === 'string' ? WHOLE_TEXT.exec(value)?.[1] : undefined
  return name === undefined ? null : (name as Variable)
}

function shell(value: string): string {
  return fill(`'${value.replaceAll("'", `'\\''`)}'`, (name) => `'"$${VARIABLES[name].shell}"'`)
}

function template(value: string): string {
  const filled = fill(value, (name) => `\${${name}}`)
  return filled === value ? JSON.stringify(value) : `\`${filled}\``
}

/** JSON is JavaScript, but for the variables in it. */
function javaScriptValue(json: string): string {
  return json.replace(/"(\{\w+\})"/g, (whole, text: string) => variableOf(text) ?? whole)
}

/** `{ access_token: token }`, `{ data: { creditReportId, challenge: { challengeId } } }`. */
function destructure(names: [Variable, readonly string[]][]): string {
  const keys = [...new Set(names.map(([, [key = '']]) => key))]
  const parts = keys.map((key) => {
    const inside = names.filter(([, [first]]) => first === key)
    const leaf = inside.find(([, path]) => path.length === 1)?.[0]
    if (leaf !== undefined) return leaf === key ? key : `${key}: ${leaf}`
    return `${key}: ${destructure(inside.map(([name, [, ...rest]]) => [name, rest]))}`
  })
  return `{ ${parts.join(', ')} }`
}

function phpString(value: string): string {
  const quoted = `'${value.replace(/['\\]/g, '\\$&')}'`
  return fill(quoted, (name) => `' . $${name} . '`).replace(/ \. ''$/, '')
}

function pythonString(value: string): string {
  const filled = fill(value, (name) => `{${VARIABLES[name].python}}`)
  return filled === value ? JSON.stringify(value) : `f${JSON.stringify(filled)}`
}

function pythonValue(value: unknown): string {
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (value === null) return 'None'
  const variable = variableOf(value)
  if (variable !== null) return VARIABLES[variable].python
  return nested(value, pythonValue, { list: ['[', ']'], map: ['{', '}'], pair: (key) => `${JSON.stringify(key)}: ` })
}

function phpValue(value: unknown): string {
  const variable = variableOf(value)
  if (variable !== null) return `$${variable}`
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
