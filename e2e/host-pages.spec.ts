// The pages that break most easily; host-pages.release.spec.ts has all of them.
import { testHostPages } from './host-pages/play.ts'

testHostPages([
  'Bootstrap',
  'the strictest policy, Trusted Types',
  'a polluted Object.prototype',
  'Prototype.js',
  'the tags of the readme',
])
