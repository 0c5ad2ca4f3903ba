import type { Check } from '../plugins/admin/production-checks.ts'

/** The demo's people are of this domain, and their password is public. */
const DEMO_DOMAIN = '@demo-lender.example'

export const portalChecks: readonly Check[] = [
  async ({ database }) => {
    const rows = await database.all<{ email: string }>(
      'SELECT email FROM user_account WHERE email LIKE ? ORDER BY email',
      `%${DEMO_DOMAIN}`,
    )
    return rows.map(
      ({ email }) =>
        `the database has the demo’s user ${email}, whose password is public: remove them with "user remove"`,
    )
  },
]
