import { bootstrapApplication, provideClientHydration } from '@angular/platform-browser'
import { Checkout } from './checkout'

bootstrapApplication(Checkout, { providers: [provideClientHydration()] })
