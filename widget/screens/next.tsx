import { useFrame } from '../frame.ts'
import { Action } from './message.tsx'

/**
 * The lender's way on for a consumer who is done here: its own content, else a button with its own words, else nothing.
 */
export function Next({ creditReportId, isSecondary = false }: { creditReportId: string; isSecondary?: boolean }) {
  const { nextLabel, tell } = useFrame()
  return (
    <slot name="report-next">
      {nextLabel && (
        <Action
          isSecondary={isSecondary}
          onClick={() => tell({ name: 'credit-report-next', detail: { creditReportId } })}
        >
          {nextLabel}
        </Action>
      )}
    </slot>
  )
}
