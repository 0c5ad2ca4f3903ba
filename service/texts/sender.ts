// The sender that a text names. UK networks block names that are generic or have odd characters, and foreign numbers.

const NAME = /^[A-Za-z0-9]{1,11}$/
const UK_NUMBER = /^\+44\d{9,10}$/

/** Names that UK networks block, from the lists that gateways publish; other spellings of them are refused too. */
const GENERIC = `1TimePin 2FA Accept Access Account Active Admin Advise Alert Allow Allowance App Appointment Approve
  Approved Auth AuthMsg Authorise AuthSMS Aware Bank Banking Bill Billing Call Card Caution Certify Check CloudOTP Code
  Collect Collection Confirm Contact Control Courier Delay Deliver Delivery Discount Energy Fraud Help Info InfoSMS ISA
  Key Loan Login Logistics LogMeIn Logon Malware Message Mobile Mortgage MSG MsgAuth Network NoReply Notify OneTimePin
  Order OTP OTPSMS Package Parcel Passcode Pay Payment Pin PinCode Post Protocol Purchase Ratify Rebate Receipt Refund
  Reminder Repayment Reply Respond Save Saving Savings Scam Schedule Secure Security Service Shipping Sign Signin Signon
  SMS SMSAuth SMSCode SMSInfo SMSOTP SMSVerify Support System Text Trace Track Tracking Trust TXT Update Updates Validate
  Verify VerifyMe VerifySMS Virus Warn Warning Winner`
const BLOCKED = new Set(GENERIC.split(/\s+/).map(fold))

/** Null for a sender that UK networks take. `numbers`: those that the gateway owns. */
export function problemOfSender(sender: string, numbers: readonly string[]): string | null {
  if (sender.startsWith('+')) {
    if (!UK_NUMBER.test(sender)) return 'UK networks block foreign numbers: expected +44 and nine or ten digits'
    return numbers.includes(sender) ? null : 'it is not one of the gateway’s numbers: add it to SMS_NUMBERS'
  }
  if (!NAME.test(sender)) return 'expected 1 to 11 letters and digits, or a number such as +447700900123'
  if (/^\d+$/.test(sender)) return 'UK networks block names of digits alone'
  return BLOCKED.has(fold(sender)) ? 'UK networks block generic names: use the lender’s own' : null
}

/** VERIFY, Ver1fy and V3rify are one name to a network. */
function fold(name: string): string {
  return name.toLowerCase().replaceAll('1', 'i').replaceAll('3', 'e').replaceAll('0', 'o')
}
