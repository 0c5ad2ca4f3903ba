// An afternoon of an operator: what each command prints, to the letter.
import { expect, test } from 'vitest'
import { operateTestService } from '../../testing/admin.ts'

const { folder, type } = operateTestService()

/** Each line as it is typed, and what comes back; `exit code` where it is not 0. */
async function typed(...lines: string[]): Promise<string> {
  const seen: string[] = []
  for (const line of lines) {
    const words = [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word)
    const { exitCode, printed, complaints } = await type(words)
    seen.push(`$ admin ${line}`, ...printed, ...complaints.map((complaint) => `! ${complaint}`))
    if (exitCode !== 0) seen.push(`exit code ${exitCode}`)
  }
  return seen.map(withoutChance).join('\n')
}

/** Values that differ each time, replaced by as many letters where columns depend on it. */
function withoutChance(line: string): string {
  return line
    .replaceAll(folder, 'DATA_DIR')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2030-01-01T00:00:00.000Z')
    .replace(/(secret id {6})[\da-f]{8}/, '$1aaaaaaaa')
    .replace(/(client secret {2}|whsec_)\S+/g, '$1…')
    .replace(/\d+ bytes/, 'N bytes')
    .replace(/key [\w-]{36}/, 'key KEY')
    .replace(/(wallet {2}\S+ {2}- +\S+ +)[\da-f]{8}/, '$1aaaaaaaa')
}

test('a lender and its clients', async () => {
  expect(
    await typed(
      'tenant create some-lender --name "Some Lender" --checkout-host shop.example --text-price 50',
      'client create some-lender --id some-lender --name Webshop --secret-ends-in-days 30',
      'client create demo-lender --id some-lender --name Ours',
      'client list some-lender',
      'client rename some-lender some-lender --name "Web shop"',
      'client replace-secret some-lender some-lender',
      'client revoke some-lender some-lender',
      'client list some-lender',
      'tenant rename some-lender --checkout-host none',
      'tenant price some-lender --report 700 --text default',
      'tenant bureaus some-lender any',
      'tenant sender some-lender SomeLender',
      'tenant retention some-lender 7',
      'tenant low-balance some-lender 5000',
      'tenant suspend some-lender --reason "unpaid invoices"',
      'tenant show some-lender',
      'tenant resume some-lender',
      'tenant list',
    ),
  ).toMatchInlineSnapshot(`
    "$ admin tenant create some-lender --name "Some Lender" --checkout-host shop.example --text-price 50
    tenant some-lender created
    $ admin client create some-lender --id some-lender --name Webshop --secret-ends-in-days 30
    client id      some-lender
    secret id      aaaaaaaa
    client secret  …
    the secret is not kept: store it now
    $ admin client create demo-lender --id some-lender --name Ours
    ! --id is taken, or was: choose another
    ! usage: admin client create TENANT --name NAME [--scopes SCOPES,…] [--test-only] [--secret-ends-in-days DAYS] [--id ID]
    exit code 2
    $ admin client list some-lender
    client       name     scopes                 mode  madeBy  revoked  secret    since                     until                     used
    some-lender  Webshop  credit-reports wallet  live  -       -        aaaaaaaa  2030-01-01T00:00:00.000Z  2030-01-01T00:00:00.000Z  -
    $ admin client rename some-lender some-lender --name "Web shop"
    client id  some-lender
    name       Web shop
    $ admin client replace-secret some-lender some-lender
    client id      some-lender
    secret id      aaaaaaaa
    client secret  …
    the secret is not kept: store it now
    $ admin client revoke some-lender some-lender
    client id  some-lender
    $ admin client list some-lender
    client       name      scopes                 mode  madeBy  revoked                   secret    since                     until                     used
    some-lender  Web shop  credit-reports wallet  live  -       2030-01-01T00:00:00.000Z  aaaaaaaa  2030-01-01T00:00:00.000Z  2030-01-01T00:00:00.000Z  -
    some-lender  Web shop  credit-reports wallet  live  -       2030-01-01T00:00:00.000Z  aaaaaaaa  2030-01-01T00:00:00.000Z  -                         -
    $ admin tenant rename some-lender --checkout-host none
    name           Some Lender
    checkout host  none
    $ admin tenant price some-lender --report 700 --text default
    report credits  700
    text credits    40
    $ admin tenant bureaus some-lender any
    bureaus  any
    $ admin tenant sender some-lender SomeLender
    sender  SomeLender
    $ admin tenant retention some-lender 7
    days  7
    $ admin tenant low-balance some-lender 5000
    threshold credits  5000
    $ admin tenant suspend some-lender --reason "unpaid invoices"
    reason  unpaid invoices
    $ admin tenant show some-lender
    setting             value
    id                  some-lender
    name                Some Lender
    balanceCredits      0
    heldCredits         0
    reportPriceCredits  700
    textPriceCredits    40
    checkoutHost        -
    smsSender           SomeLender
    requireAllBureaus   false
    requestsPerMinute   600
    lowBalanceCredits   5000
    createdAt           2030-01-01T00:00:00.000Z
    suspendedAt         2030-01-01T00:00:00.000Z
    suspendedReason     unpaid invoices
    $ admin tenant resume some-lender
    done
    $ admin tenant list
    id            balanceCredits  heldCredits  suspendedAt  name
    demo-lender   1000000         0            -            Wrenfield
    empty-lender  0               0            -            Empty Lender
    other-lender  1000000         0            -            Other Lender
    some-lender   0               0            -            Some Lender"
  `)
})

test('a lender’s money', async () => {
  expect(
    await typed(
      'top-up demo-lender 5000 --reference invoice-1',
      'correct demo-lender -4000 --reason "a nought too many" --reference ticket-1',
      'caps demo-lender --report-hour 0 --text-day none --requests-per-minute 5',
      'caps demo-lender',
      'reconcile',
    ),
  ).toMatchInlineSnapshot(`
    "$ admin top-up demo-lender 5000 --reference invoice-1
    added    5000 credits (£5.00)
    balance  1005000 credits (£1,005.00)
    $ admin correct demo-lender -4000 --reason "a nought too many" --reference ticket-1
    booked   -4000 credits (-£4.00)
    balance  1001000 credits (£1,001.00)
    $ admin caps demo-lender --report-hour 0 --text-day none --requests-per-minute 5
    requests per minute  5
    purpose  period  capCredits  spentCredits
    report   hour    0           0
    report   day     -           0
    text     hour    -           0
    text     day     -           0
    $ admin caps demo-lender
    requests per minute  5
    purpose  period  capCredits  spentCredits
    report   hour    0           0
    report   day     -           0
    text     hour    -           0
    text     day     -           0
    $ admin reconcile
    4 wallets, 5 lines, 0 reports, 0 texts, 0 credits held
    ok      every balance is the sum of its lines
    ok      every day is the sum of its lines
    ok      nothing is below zero
    ok      a hold is settled at most once
    ok      a capture or release is for exactly what was held
    ok      a live complete report has exactly one capture
    ok      what is given back of a report is the share of the agencies missing from it, once
    ok      a blocked, failed or expired report has given its hold back
    ok      a live report in progress has its hold
    ok      a text is charged when it was delivered, and only then
    ok      every send of a live challenge has its text
    ok      every hold is for a live report or text that exists, or a correction
    ok      test mode leaves no line and no text"
  `)
})

test('the database', async () => {
  expect(
    await typed(
      `backup ${folder}/copy.db`,
      `backup ${folder}/copy.db`,
      `verify ${folder}/copy.db`,
      `restore ${folder}/copy.db`,
      'backed-up',
      'migrate --plan',
      'migrate',
      'verify',
      'keys rotate',
      'keys list',
    ),
  ).toMatchInlineSnapshot(`
    "$ admin backup DATA_DIR/copy.db
    wrote DATA_DIR/copy.db (N bytes) and its checksum, copy.db.sha256
    SECRET_KEY is not in it; keep that in another place. Reports, telephone numbers, keys and webhook secrets are sealed.
    Readable without it: lenders, balances and the ledger, references of reports, e-mail addresses of users, the audit trail.
    ok      every page can be read
    ok      the schema is one this version knows
    ok      ledger and audit trail are append-only
    ok      SECRET_KEY opens it
    ok      every complete report is a report
    ok      the books balance
    ok      the audit trail is whole, but for the 18 newest events, which are not linked yet
    $ admin backup DATA_DIR/copy.db
    ! "DATA_DIR/copy.db" exists already; a backup never overwrites one
    exit code 1
    $ admin verify DATA_DIR/copy.db
    ok      the file has its checksum
    ok      every page can be read
    ok      the schema is one this version knows
    ok      ledger and audit trail are append-only
    ok      SECRET_KEY opens it
    ok      every complete report is a report
    ok      the books balance
    ok      the audit trail is whole, but for the 18 newest events, which are not linked yet
    $ admin restore DATA_DIR/copy.db
    ! "DATA_DIR/service.db" exists; stop the service and move it, with its -wal and -shm, or choose another DATA_DIR
    exit code 1
    $ admin backed-up
    backed up at 2030-01-01T00:00:00.000Z
    $ admin migrate --plan
    the tables are up to date
    $ admin migrate
    the tables are up to date
    $ admin verify
    ok      every page can be read
    ok      the schema is one this version knows
    ok      ledger and audit trail are append-only
    ok      SECRET_KEY opens it
    ok      every complete report is a report
    ok      the books balance
    ok      the audit trail is whole, but for the 19 newest events, which are not linked yet
    $ admin keys rotate
    key KEY signs from 2030-01-01T00:00:00.000Z
    $ admin keys list
    place  key       role   holds
    1      e447fd45  seals  2 signing keys, 0 reports, 0 kept answers, 0 webhook secrets, 0 known applicants of links, 0 authenticator secrets"
  `)
})
