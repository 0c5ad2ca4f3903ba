// Every request of a journey, met by every fault of a line, once and three times: one report, one charge, one text.
import { FAULTS, isPossible, playRow, REQUESTS } from './bad-line/journey.ts'

for (const request of Object.keys(REQUESTS))
  for (const fault of Object.keys(FAULTS))
    for (const times of [1, 3]) if (isPossible({ request, fault, times })) playRow({ request, fault, times })
