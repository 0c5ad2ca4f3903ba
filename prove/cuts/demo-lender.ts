// The demo's lender, seen from outside: what its consumers' phones say, and what its ledger does.
import { Wallet, type WalletLine, WalletLines } from '../../contract/wallet.ts'

export const LENDER = { tenantId: 'demo-lender', credentials: { clientId: 'demo-lender', clientSecret: 'demo-secret' } }

/** The session of a browser with the fingerprint script. */
export async function openSession(url: string, headers: Record<string, string> = {}): Promise<string> {
  const session = await fetch(`${url}/v1/fingerprints/device/sessions`, { method: 'POST', headers, body: '{}' })
  if (!session.ok) throw new Error(`a device was answered ${session.status}`)
  return session.text()
}

export async function readCode(url: string, creditReportId: string): Promise<string> {
  const texts: { creditReportId: string; body: string }[] = await (await fetch(`${url}/demo/sms`)).json()
  const text = texts.find((each) => each.creditReportId === creditReportId)
  return /\b\d{6}\b/.exec(text?.body ?? '')?.[0] ?? 'no text arrived'
}

export async function readWallet(url: string): Promise<Wallet> {
  const wallet = await fetch(`${url}/${LENDER.tenantId}/v1/wallet`, { headers: await readToken(url) })
  return Wallet.parse((await wallet.json()).data)
}

export async function readLines(url: string): Promise<WalletLine[]> {
  const headers = await readToken(url)
  const lines: WalletLine[] = []
  for (let after = ''; ; ) {
    const page = await fetch(`${url}/${LENDER.tenantId}/v1/wallet/lines?limit=200${after}`, { headers })
    const { lines: some, nextAfter } = WalletLines.parse((await page.json()).data)
    lines.push(...some)
    if (nextAfter === undefined) return lines
    after = `&after=${encodeURIComponent(nextAfter)}`
  }
}

export async function readToken(url: string): Promise<{ Authorization: string }> {
  const { clientId, clientSecret } = LENDER.credentials
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
  const token = await (await fetch(`${url}/v1/oauth/token`, { method: 'POST', body: new URLSearchParams(form) })).json()
  return { Authorization: `Bearer ${token.access_token}` }
}
