// The recipes of docs/lender/addresses.md, asked over HTTP of a server that answers as each provider documents it.
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { FoundAddress } from '../../contract/address.ts'
import { read } from '../../contract/problems.ts'
import type { FindAddresses } from '../options.ts'

type Recipe = {
  name: string
  key: string
  host: string
  /** True when the request is the one the provider documents. */
  isAsked: (request: IncomingMessage) => boolean
  home: object
  none: { status: number; body: object }
  refused: { status: number; body: object }
  wrap: (homes: object[]) => object
}

const idealHome = {
  postcode: 'LS1 4AP',
  post_town: 'LEEDS',
  dependant_locality: 'Holbeck',
  double_dependant_locality: '',
  thoroughfare: 'Weir Street',
  dependant_thoroughfare: '',
  building_number: '22',
  building_name: 'Mill House',
  sub_building_name: 'Flat 3',
  organisation_name: '',
  udprn: 25962203,
  line_1: 'Flat 3',
}

const recipes: Recipe[] = [
  {
    name: 'os-places',
    key: 'OS_PLACES_KEY',
    host: 'api.os.uk',
    isAsked: ({ url, headers }) =>
      headers.key === 'secret' && url === '/search/places/v1/postcode?postcode=LS1+4AP&dataset=DPA&maxresults=100',
    home: {
      DPA: {
        UPRN: '200010019924',
        ADDRESS: 'FLAT 3, MILL HOUSE, 22, WEIR STREET, HOLBECK, LEEDS, LS1 4AP',
        SUB_BUILDING_NAME: 'FLAT 3',
        BUILDING_NAME: 'MILL HOUSE',
        BUILDING_NUMBER: '22',
        THOROUGHFARE_NAME: 'WEIR STREET',
        DEPENDENT_LOCALITY: 'HOLBECK',
        POST_TOWN: 'LEEDS',
        POSTCODE: 'LS1 4AP',
      },
    },
    wrap: (results) => ({ header: { totalresults: results.length, format: 'JSON', dataset: 'DPA' }, results }),
    none: { status: 200, body: { header: { totalresults: 0, format: 'JSON', dataset: 'DPA' } } },
    refused: { status: 401, body: { fault: { faultstring: 'Invalid ApiKey' } } },
  },
  {
    name: 'ideal-postcodes',
    key: 'IDEAL_POSTCODES_KEY',
    host: 'api.ideal-postcodes.co.uk',
    isAsked: ({ url, headers }) => headers.authorization === 'api_key="secret"' && url === '/v1/postcodes/LS1%204AP',
    home: idealHome,
    wrap: (result) => ({ result, code: 2000, message: 'Success' }),
    none: { status: 404, body: { code: 4040, message: 'Postcode Not Found' } },
    refused: { status: 402, body: { code: 4020, message: 'Key balance depleted' } },
  },
  {
    name: 'loqate',
    key: 'LOQATE_KEY',
    host: 'api.addressy.com',
    isAsked: ({ url }) =>
      url === '/PostcodeAnywhere/Interactive/RetrieveByPostcodeAndBuilding/v1.30/json3.ws?Key=secret&Postcode=LS1+4AP',
    home: {
      Udprn: '25962203',
      Company: '',
      Line1: 'Flat 3',
      SubBuilding: 'Flat 3',
      BuildingName: 'Mill House',
      BuildingNumber: '22',
      PrimaryStreet: 'Weir Street',
      SecondaryStreet: '',
      DoubleDependentLocality: '',
      DependentLocality: 'Holbeck',
      PostTown: 'Leeds',
      Postcode: 'LS1 4AP',
    },
    wrap: (Items) => ({ Items }),
    none: { status: 200, body: { Items: [] } },
    refused: { status: 200, body: { Items: [{ Error: '2', Description: 'Unknown key' }] } },
  },
]

let server: Server | undefined
const { fetch } = globalThis
afterEach(() => {
  globalThis.fetch = fetch
  vi.unstubAllEnvs()
  server?.close()
})

/** The recipe, with the provider's host led to a server here that gives this answer to the right request. */
async function load(recipe: Recipe, answer: { status: number; body: object }): Promise<FindAddresses> {
  server = createServer((request, response) => {
    const { status, body } = recipe.isAsked(request)
      ? answer
      : { status: 400, body: { code: 0, Items: [{ Error: '0' }] } }
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
  }).listen(0)
  const { port } = server.address() as AddressInfo
  globalThis.fetch = (input, init) => {
    const url = new URL(String(input))
    if (url.host !== recipe.host) throw new Error(`asked ${url.host}`)
    return fetch(new URL(url.pathname + url.search, `http://localhost:${port}`), init)
  }
  vi.stubEnv(recipe.key, 'secret')
  const { findAddresses }: { findAddresses: FindAddresses } = await import(
    `../../docs/examples/addresses/${recipe.name}.mjs`
  )
  return findAddresses
}

describe.each(recipes)('$name', (recipe) => {
  const asked = (find: FindAddresses) => find('LS1 4AP', AbortSignal.timeout(5_000))

  test('the page links to it and names its key', () => {
    const page = readFileSync('docs/lender/addresses.md', 'utf8')
    expect(page).toContain(`(../examples/addresses/${recipe.name}.mjs) | \`${recipe.key}\` |`)
  })

  test('reads every part of an address', async () => {
    const find = await load(recipe, { status: 200, body: recipe.wrap([recipe.home, recipe.home]) })
    const [first, second, ...others] = await asked(find)
    expect(read(FoundAddress, first)).toMatchObject({ ok: true })
    expect([second, others]).toEqual([first, []])
    expect(JSON.parse(JSON.stringify(first).toLowerCase())).toEqual({
      subbuildingname: 'flat 3',
      buildingname: 'mill house',
      buildingnumber: '22',
      thoroughfare: 'weir street',
      district: 'holbeck',
      townorcity: 'leeds',
      postcode: 'ls1 4ap',
    })
  })

  test('a postcode without addresses has none', async () => {
    expect(await asked(await load(recipe, recipe.none))).toEqual([])
  })

  test('a refusal is an error, not an empty list', async () => {
    const find = await load(recipe, recipe.refused)
    await expect(async () => asked(find)).rejects.toThrow(/answered|refused/)
  })

  test('stops when its signal aborts', async () => {
    const find = await load(recipe, recipe.none)
    await expect(async () => find('LS1 4AP', AbortSignal.abort())).rejects.toThrow(/abort/i)
  })
})
