import { createClient, InsufficientFundsError, ServiceError } from 'credit-report-widget/client'

const client = createClient({
  service: process.env.CREDIT_SERVICE_URL,
  tenantId: process.env.TENANT_ID,
  credentials: { clientId: process.env.CLIENT_ID, clientSecret: process.env.CLIENT_SECRET },
})

try {
  const { data, meta } = await client.generate({
    sessionId: 'from-the-fingerprint-script',
    bureaus: ['equifax', 'experian'],
    ipAddress: '203.0.113.7',
    searchType: 'pcp',
    firstName: 'Sam',
    lastName: 'Example',
    dateOfBirth: '1985-03-27',
    addresses: [{ ukAddress: { buildingNumber: '10', townOrCity: 'Ambleford', postcode: 'SW1A 1AA' } }],
    mobileNumber: '+447700900123',
    externalReference: 'order-1042',
    test: true,
    challengeOptions: { status: 'challenge' },
  })
  console.log(data.status, meta.wallet.balance)
  if (data.status === 'authentication-required') {
    const { creditReportId, challenge } = data
    const verified = await client.submitCode({ creditReportId, ...challenge, code: '123456' })
    console.log(verified.data.status)
  }
} catch (error) {
  if (error instanceof InsufficientFundsError) console.log('top up the wallet')
  else if (error instanceof ServiceError) console.log(error.code, error.requestId)
  else throw error
}
