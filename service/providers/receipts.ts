/** Where gateways report what became of a text. */
export const RECEIPTS_PATH = '/v1/sms/receipts'

/** What receipts are signed with; null where that kind of gateway is not in use, and its receipts are not found. */
export type ReceiptSecrets = { http: string | null; twilio: string | null }
