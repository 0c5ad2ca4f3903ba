import { describe, expect, test } from 'vitest'
import {
  familyOf,
  householdOf,
  isDocumentationAddress,
  isLoopbackAddress,
  isLoopbackHost,
  isPublicAddress,
  networkOf,
  ownersOf,
  publicNetworkOf,
} from './network.ts'

test.each([
  ['203.0.113.77', '203.0.113.0/24'],
  ['::ffff:203.0.113.77', '203.0.113.0/24'],
  ['2001:db8:0012:34::1', '2001:db8:12::/48'],
  ['2001:DB8:12:ffff:1:2:3:4', '2001:db8:12::/48'],
  ['2001:db8::1', '2001:db8:0::/48'],
  ['2001::1', '2001:0:0::/48'],
  ['::1', '0:0:0::/48'],
  ['fe80::1%eth0', 'fe80:0:0::/48'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0::/48'],
  ['', null],
  ['unknown', null],
  ['203.0.113', null],
  ['203.0.113.777', null],
  ['203.0.113.77, 10.0.0.1', null],
  ['::ffff:08.8.8.8', null],
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

test.each([
  ['8.8.8.8', '8.8.8.0/24'],
  ['172.32.0.1', '172.32.0.0/24'],
  ['2606:4700::1', '2606:4700:0::/48'],
  ['127.0.0.1', null],
  ['::ffff:127.0.0.1', null],
  ['::1', null],
  ['10.1.2.3', null],
  ['172.16.0.1', null],
  ['192.168.1.1', null],
  ['169.254.0.1', null],
  ['100.64.0.1', null],
  ['fd00::1', null],
  ['fe80::1%eth0', null],
  ['rubbish', null],
])('the public network of %s is %s', (address, network) => {
  expect(publicNetworkOf(address)).toBe(network)
})

test.each([
  ['8.8.8.8', true],
  ['2606:4700::1', true],
  ['10.1.2.3', false],
  ['rubbish', false],
  // The last of each network that is not, and the first behind it.
  ['0.255.255.255', false],
  ['1.0.0.0', true],
  ['10.255.255.255', false],
  ['11.0.0.0', true],
  ['100.127.255.255', false],
  ['100.128.0.0', true],
  ['127.255.255.255', false],
  ['128.0.0.0', true],
  ['169.254.255.255', false],
  ['169.255.0.0', true],
  ['172.31.255.255', false],
  ['172.32.0.0', true],
  ['192.168.255.255', false],
  ['192.169.0.0', true],
  ['::', false],
  ['::2', false],
  ['fdff:ffff::', false],
  ['fe00::', true],
  ['febf:ffff::', false],
  ['fec0::', false],
  ['feff:ffff::', false],
  ['::ffff:0:8.8.8.8', false],
  ['192.0.0.255', false],
  ['192.0.1.0', true],
  ['192.88.99.255', false],
  ['192.88.100.0', true],
  ['198.19.255.255', false],
  ['198.20.0.0', true],
  ['223.255.255.255', true],
  ['224.0.0.1', false],
  ['239.255.255.255', false],
  ['255.255.255.255', false],
  ['64:ff9b::ffff:ffff', false],
  ['64:ff9b:1:ffff::', false],
  ['64:ff9b:2::', true],
  ['100::1', false],
  ['100:0:0:1::', true],
  ['2001:1ff:ffff::', false],
  ['2001:200::', true],
  ['2002:ffff::', false],
  ['2003::', true],
  ['5f00:ffff::', false],
  ['5f01::', true],
  ['ffff::', false],
  ['203.0.113.7', true],
])('%s is an address of the internet: %s', (address, expected) => {
  expect(isPublicAddress(address)).toBe(expected)
})

test.each([
  ['203.0.113.7', true],
  ['::ffff:203.0.113.7', true],
  ['2001:db8::1', true],
  ['203.0.114.0', false],
  ['192.0.2.255', true],
  ['192.0.3.0', false],
  ['198.51.100.255', true],
  ['198.51.101.0', false],
  ['2001:db9::', false],
  ['3fff:fff:ffff::', true],
  ['3fff:1000::', false],
  ['2606:4700::1', false],
  ['93.184.216.34', false],
  ['shop.example', false],
])('%s is an address for examples: %s', (address, expected) => {
  expect(isDocumentationAddress(address)).toBe(expected)
})

test('a network knows its family', () => {
  expect(familyOf('203.0.113.0/24')).toBe(4)
  expect(familyOf('2001:db8:12::/48')).toBe(6)
})

describe('a household', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['0:0:0:0:0:ffff:cb00:7107', '203.0.113.7'],
    ['0::ffff:cb00:7107', '203.0.113.7'],
    ['0:0:0:0:0:FFFF:203.1.113.7', '203.1.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::192.0.2.33', '64:ff9b:0:0::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8:0001:0002:ffff::', '2001:db8:1:2::/64'],
    ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/64'],
    ['1:2:3:4:5:6:203.0.113.7', '1:2:3:4::/64'],
  ])('%s counts as %s', (address, network) => {
    expect(householdOf(address)).toBe(network)
  })

  test('cannot be changed by walking through one’s own /64', () => {
    const walked = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::', '2001:db8:1:2:3:4:5:6'].map(householdOf)
    expect(new Set(walked).size).toBe(1)
  })
})

test.each([
  ['203.0.113.7', ['203.0.113.7', '203.0.113.7', '203.0.113.7']],
  ['2001:db8:1:a2f3::1', ['2001:db8:1:a2f3::/64', '2001:db8:1:a200::/56', '2001:db8:1::/48']],
  ['2001:db8::1', ['2001:db8:0:0::/64', '2001:db8:0:0::/56', '2001:db8:0::/48']],
])('around %s a customer may own %j', (address, networks) => {
  expect(ownersOf(address)).toEqual(networks)
})

test.each([
  ['localhost', true],
  ['shop.localhost', true],
  ['127.0.0.1', true],
  ['127.1.2.3', true],
  ['[::1]', true],
  ['0.0.0.0', false],
  ['localhost.example', false],
  ['127.example', false],
])('the host %s leads nowhere else: %s', (hostname, expected) => {
  expect(isLoopbackHost(hostname)).toBe(expected)
})

test.each([
  ['127.0.0.1', true],
  ['::ffff:127.0.0.1', true],
  ['::1', true],
  ['10.0.0.1', false],
  ['', false],
])('the address %s is this machine: %s', (address, expected) => {
  expect(isLoopbackAddress(address)).toBe(expected)
})
