// The scopes of a token.

export const SCOPE_MEANINGS = {
  'credit-reports': 'Generate reports, answer challenges, read how reports stand; make and revoke links.',
  'people-export': 'Export everything that is kept about a person.',
  'people-erase': 'Erase everything that is kept about a person, or one report.',
  wallet: 'Read the wallet, its lines and statements, what is held, the spend caps and the low-balance alert.',
  settings:
    'Change the spend caps, the low-balance alert, the webhooks and the page behind links; read webhook deliveries.',
  audit: 'Read the audit trail.',
} as const
export type Scope = keyof typeof SCOPE_MEANINGS
