import { type BootstrapContext, bootstrapApplication, provideClientHydration } from '@angular/platform-browser'
import { provideServerRendering, RenderMode, withRoutes } from '@angular/ssr'
import { Checkout } from './checkout'

const providers = [
  provideClientHydration(),
  provideServerRendering(withRoutes([{ path: '**', renderMode: RenderMode.Server }])),
]

export default (context: BootstrapContext) => bootstrapApplication(Checkout, { providers }, context)
