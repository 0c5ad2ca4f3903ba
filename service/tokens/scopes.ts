/** What a token can allow. A client gets those it was made with, or the fewer it asks for. */
export const SCOPES = ['credit-reports', 'wallet'] as const
export type Scope = (typeof SCOPES)[number]
