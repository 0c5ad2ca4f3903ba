import { type Check, findObstacles } from '../preflight.ts'
import type { Command } from './command.ts'

export function createPreflightCommand(checks: readonly Check[]): Command {
  return {
    name: 'preflight',
    usage: '',
    summary:
      'says what keeps this installation from serving real people; the same is asked at every start in production',
    role: 'reader',
    async run(input) {
      const obstacles = await findObstacles(checks, input)
      for (const obstacle of obstacles) input.print(obstacle)
      if (obstacles.length === 0) input.print('fit for production')
      return obstacles.length === 0 ? 0 : 1
    },
  }
}
