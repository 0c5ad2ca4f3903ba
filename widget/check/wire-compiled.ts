// The same as `wire.ts`, from shapes the build has taken out of the contract's schemas.
import type { ErrorBody } from '../../contract/error.ts'
import type { Answer, Resent } from '../build/reading.ts'
import { readerOf, type Shape } from './shape.ts'
import type { Reader } from './wire.ts'

export type Shapes = { answer: Shape; resent: Shape; error: Shape }

/** Put in by the build. */
declare const __SHAPES__: Shapes

export const readAnswer: Reader<Answer> = readerOf(__SHAPES__.answer)
export const readResent: Reader<Resent> = readerOf(__SHAPES__.resent)
export const readError: Reader<ErrorBody> = readerOf(__SHAPES__.error)
