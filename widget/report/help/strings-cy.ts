// The words of `help/` in Welsh. A first translation: it needs review by a native speaker before a lender offers it.
import type { HelpStrings } from './strings.ts'

export const helpStringsCy: HelpStrings = {
  letterLead:
    'Ni all y dudalen hon newid y cofnod. Anfonwch y llythyr hwn at yr asiantaeth, ar ei thudalen ei hun, drwy e-bost neu drwy’r post:',
  letterAccount:
    'Nid wyf yn adnabod y cyfrif hwn ar fy ffeil gredyd. Gwiriwch ef gyda’r cwmni, dilëwch ef os nad fi piau ef, a rhowch wybod i mi am y canlyniad o fewn 28 diwrnod.',
  letterSearch:
    'Nid wyf yn adnabod y chwiliad hwn ar fy ffeil gredyd. Gofynnwch i’r cwmni pam y chwiliodd, dilëwch y chwiliad os na chytunais iddo, a rhowch wybod i mi am y canlyniad o fewn 28 diwrnod.',
  letterSubject: 'Cofnod ar fy ffeil gredyd nad wyf yn ei adnabod',
  company: 'Cwmni',
  type: 'Math',
  accountEnding: 'Rhif y cyfrif yn gorffen â',
  searchedOn: 'Chwiliwyd ar',
  copy: 'Copïo’r llythyr',
  copied: 'Wedi’i gopïo',
  mail: 'Ei agor yn eich ap e-bost',

  wrongSteps: [
    'Gwiriwch eto: mae cwmnïau’n masnachu dan enwau eraill, a gall ffigurau fod rai wythnosau oed.',
    'Dywedwch wrth yr asiantaeth sy’n ei nodi, neu’r cwmni. Mae “Nid wyf yn adnabod hwn” wrth ymyl pob cyfrif a chwiliad yn rhoi llythyr i chi.',
    'Rhaid i’r asiantaeth ateb o fewn 28 diwrnod. Tan hynny caiff y cofnod ei farcio fel un dan ymholiad.',
    'Os ydych yn dal i anghytuno, ychwanegwch hysbysiad cywiro: hyd at 200 o’ch geiriau chi y bydd benthycwyr yn eu gweld.',
  ],
  complain: 'Ar ôl hynny, gallwch gwyno wrth y Comisiynydd Gwybodaeth:',
  fraud: 'Os yw rhywun wedi defnyddio’ch enw, ffoniwch y cwmni heddiw a gofynnwch i {cifas} ei ddiogelu.',

  meanings: {
    agency: ['Asiantaeth gwirio credyd', 'Cwmni sy’n cadw cofnodion o sut mae pobl yn benthyca ac yn ad-dalu.'],
    balance: ['Balans', 'Yr hyn y dywedodd y cwmni ddiwethaf sy’n ddyledus.'],
    openingBalance: ['Balans agoriadol', 'Yr hyn oedd yn ddyledus ar y dechrau.'],
    reference: ['Cyfeirnod', 'Rhif yr asiantaeth ei hun ar gyfer cofnod.'],
    settled: ['Wedi’i setlo', 'Wedi’i dalu’n llawn a’i gau.'],
    arrears: ['Ôl-ddyledion', 'Taliadau sy’n hwyr.'],
    arrangement: ['Trefniant', 'Taliad is y mae’r cwmni wedi cytuno arno.'],
    debtManagement: ['Rheoli dyled', 'Cynllun i ad-dalu sawl cwmni drwy un taliad is.'],
    default: [
      'Diffygdaliad',
      'Daeth y cwmni â’r cytundeb i ben ar ôl taliadau a gollwyd. Mae’n aros ar ffeil am chwe blynedd.',
    ],
    query: ['Ymholiad', 'Mae rhywun yn gwirio a yw’r cofnod yn gywir.'],
    unclassified: ['Heb ei ddosbarthu', 'Rhy newydd i ddweud, neu nid yw’r cwmni wedi anfon cofnod o daliadau.'],
    hirePurchase: ['Hurbwrcas', 'Rydych yn talu’n fisol ac yn berchen ar yr eitem ar ôl y taliad olaf.'],
    pcp: [
      'PCP',
      'Pryniant contract personol. Rydych yn talu’n fisol, yna’n dychwelyd y car neu’n talu swm terfynol i’w gadw.',
    ],
  },
}
