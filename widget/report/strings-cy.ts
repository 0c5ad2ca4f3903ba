// The report in Welsh. A first translation: it needs review by a native speaker before a lender offers it.
import type { ReportStrings } from './strings.ts'

export const reportStringsCy: ReportStrings = {
  title: 'Eich adroddiad credyd',
  purpose:
    'Yr hyn y mae cwmnïau wedi’i ddweud amdanoch wrth yr asiantaethau gwirio credyd. Nid sgôr na phenderfyniad ydyw.',
  prepared: 'Paratowyd ar',
  agencies: 'Asiantaethau',
  reportReference: 'Cyfeirnod yr adroddiad',
  synthetic: 'Data synthetig',
  syntheticMeaning: 'Prawf yw hwn. Mae’r person, y cyfrifon a’r chwiliadau wedi’u dyfeisio.',
  contents: 'Yn yr adroddiad hwn',
  print: 'Argraffu neu gadw',
  printHint: 'I gadw copi, argraffwch i PDF. Byddwch yn ofalus ar ddyfais a rennir.',
  hideAmounts: 'Cuddio symiau',
  hidden: 'Cudd',
  notReported: 'Heb ei nodi',
  inCredit: '{amount} mewn credyd',

  glance: 'Cipolwg',
  owed: 'Mae arnoch chi',
  mortgageApart: 'a {amount} ar forgeisi',
  unreported: {
    one: 'Nid yw 1 balans wedi’i nodi',
    two: 'Nid yw 2 falans wedi’u nodi',
    other: 'Nid yw {n} balans wedi’u nodi',
  },
  recentSearches: 'Chwiliadau yn y 12 mis diwethaf',

  concerns: 'Pethau i edrych arnynt',
  late: 'Mae {company} yn nodi “{status}”',
  lateAdvice:
    'Gofynnwch i {company} beth mae hyn yn ei olygu i chi. Os yw talu’n anodd, mae {help} yn rhoi cyngor am ddim.',
  twins: {
    two: 'Efallai fod {company} wedi nodi un cyfrif ddwywaith',
    other: 'Efallai fod {company} wedi nodi un cyfrif {n} gwaith',
  },
  twinsAdvice: 'Mae’r cofnodion yn gorffen â {ending}. Os un cyfrif ydyw, gofynnwch i’r asiantaeth ddileu’r copi.',
  repeated: {
    two: 'Chwiliodd {company} ddwywaith o fewn 30 diwrnod',
    other: 'Chwiliodd {company} {n} gwaith o fewn 30 diwrnod',
  },
  repeatedAdvice:
    'Mae hyn yn arferol wrth gymharu cynigion. Os na wnaethoch chi, gofynnwch i {company} pam yr edrychodd.',

  balances: 'Beth sydd arnoch chi, yn ôl math',
  type: 'Math',
  accounts: 'Cyfrifon',
  balance: 'Balans',
  mortgagesApart: 'Nid oes bar i forgeisi, er mwyn gallu cymharu’r barrau eraill.',
  nothingOwed: 'Nid oes cyfrif yn nodi arian sy’n ddyledus.',

  open: 'Agored',
  settled: 'Wedi’u setlo',
  filter: 'Dangos',
  allTypes: 'Pob math',
  noAccounts: 'Nid oes asiantaeth yn nodi cyfrif yn eich enw chi.',
  unnamed: 'Cwmni heb ei enwi',
  // Words that do not change after what stands before them.
  aCompany: 'sefydliad heb ei enwi',
  theCompany: 'sefydliad y cyfrif',
  started: 'Dechreuodd',
  ending: 'yn gorffen â {digits}',
  repaid: 'ad-dalwyd {repaid} o {start}',
  more: 'Mwy am y cyfrif hwn',
  startBalance: 'Balans agoriadol',
  payment: 'Taliad rheolaidd',
  numberOfPayments: 'Nifer y taliadau',
  repaymentPeriod: 'Cyfnod ad-dalu',
  companyType: 'Math o gwmni',
  looksWrong: 'A yw hyn yn edrych yn anghywir?',
  looksWrongAdvice:
    'Dywedwch wrth yr asiantaeth gan roi ei chyfeirnod. Ni all y dudalen hon newid y cofnod; gall yr asiantaeth a {company} wneud hynny.',
  copy: 'Copïo',
  copied: 'Wedi’i gopïo',

  timeline: 'Llinell amser',
  timelineNote: 'Nid yw asiantaethau’n dweud pryd y setlwyd cyfrif, felly dim ond ei ddechrau a ddangosir.',
  running: '{date} hyd heddiw',
  ended: 'Dechreuodd {date}, wedi’i setlo',
  searchesIn: '{n} chwiliad, {last}',
  searchesBetween: '{n} chwiliad, {first} i {last}',

  searchesMeaning: 'Pan fydd cwmni’n edrych ar eich adroddiad, fe’i nodir yma.',
  searchesUnknown:
    'Enw dieithr? Mae cwmnïau’n masnachu dan enwau eraill, ac mae gwefannau cymharu’n chwilio ar ran sawl benthyciwr.',
  noSearches: 'Nid oes chwiliadau wedi’u nodi.',
  searchCount: { one: '1 chwiliad', other: '{n} chwiliad' },

  about: 'Amdanoch chi',
  shortStay: 'Llai na mis',
  noAddresses: 'Nid oes cyfeiriadau wedi’u nodi.',

  glossary: 'Ystyr y geiriau',
  meanings: {
    'Asiantaeth gwirio credyd': 'Cwmni sy’n cadw cofnodion o sut mae pobl yn benthyca ac yn ad-dalu.',
    'Wedi’i setlo': 'Wedi’i dalu’n llawn a’i gau.',
    'Ôl-ddyledion': 'Taliadau sy’n hwyr.',
    Trefniant: 'Taliad is y mae’r cwmni wedi cytuno arno.',
    Diffygdalu: 'Daeth y cwmni â’r cytundeb i ben ar ôl taliadau a gollwyd. Mae’n aros ar ffeil am chwe blynedd.',
    Ymholiad: 'Mae rhywun yn gwirio a yw’r cofnod yn gywir.',
    Hurbwrcas: 'Rydych yn talu’n fisol ac yn berchen ar yr eitem ar ôl y taliad olaf.',
    PCP: 'Pryniant contract personol. Rydych yn talu’n fisol, yna’n dychwelyd y car neu’n talu swm terfynol i’w gadw.',
    Balans: 'Yr hyn y dywedodd y cwmni ddiwethaf sy’n ddyledus.',
    'Balans agoriadol': 'Yr hyn oedd yn ddyledus ar y dechrau.',
    'Chwiliad meddal': 'Edrychiad mai dim ond chi sy’n gallu ei weld.',
    'Chwiliad caled': 'Edrychiad y gall benthycwyr eraill ei weld.',
    Cyfeirnod: 'Rhif yr asiantaeth ei hun ar gyfer cofnod.',
  },

  wrong: 'Os oes rhywbeth o’i le',
  wrongSteps: [
    'Gwiriwch eto: mae cwmnïau’n masnachu dan enwau eraill, a gall ffigurau fod rai wythnosau oed.',
    'Dywedwch wrth yr asiantaeth sy’n ei nodi, neu’r cwmni. Dywedwch beth sydd o’i le, a rhowch y cyfeirnod sydd gyda’r cyfrif.',
    'Rhaid i’r asiantaeth ateb o fewn 28 diwrnod. Tan hynny caiff y cofnod ei farcio fel un dan ymholiad.',
    'Os ydych yn dal i anghytuno, ychwanegwch hysbysiad cywiro: hyd at 200 o’ch geiriau chi y bydd benthycwyr yn eu gweld.',
    'Ar ôl hynny, gallwch gwyno wrth y Comisiynydd Gwybodaeth: {ico}.',
  ],
  fraud: 'Os yw rhywun wedi defnyddio’ch enw, ffoniwch y cwmni heddiw a gofynnwch i {cifas} ei ddiogelu.',
  privacy: 'Dim ond ar y dudalen hon y mae’r adroddiad hwn. Ni chedwir dim ohono yn eich porwr.',

  empty: 'Dim byd ar ffeil, ac mae hynny’n iawn',
  emptyMeaning:
    'Nid oes gan yr asiantaethau gyfrifon na chwiliadau dan y manylion hyn. Mae hynny’n arferol i bobl ifanc, pobl nad ydynt wedi benthyca, neu bobl sy’n newydd i’r DU.',
  emptySteps: [
    'Gwiriwch eich enw, eich dyddiad geni a’ch cyfeiriadau isod.',
    'Cofrestrwch i bleidleisio lle rydych yn byw: {vote}. Mae’n helpu asiantaethau i ddod o hyd i chi.',
    'Os oes gennych gyfrifon, gofynnwch i asiantaeth pam eu bod ar goll.',
  ],

  accountTypes: {
    pcp: 'Pryniant contract personol (PCP)',
    hp: 'Hurbwrcas',
    'hire purchase': 'Hurbwrcas',
    'credit card': 'Cerdyn credyd',
    mortgage: 'Morgais',
  },
  accountStatuses: { open: 'Agored', settled: 'Wedi’i setlo', closed: 'Ar gau' },
}
