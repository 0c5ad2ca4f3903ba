// The pages that break most easily; host-pages.release.spec.ts has all of them.
import { testHostPages } from './host-pages/play.ts'

testHostPages([
  'Bootstrap',
  'the strictest policy, Trusted Types',
  'a hash and strict-dynamic, and markup that names an upload',
  'a loader that removes its tag, and markup that names an upload',
  'a polluted Object.prototype',
  'Prototype.js',
  'the tags of the readme',
])
