import type { RenderContext } from '../../render-context.ts'
import type { StepMarks } from './marks.ts'

/** Sentences about data that could not be drawn; empty if there is none. */
export const describeStepFaults = (
  { faults: { nameless = 0, long = 0, rare = 0 } }: StepMarks,
  { translate }: RenderContext,
): string =>
  [
    rare > 0 &&
      translate(
        'picture.steps.rare',
        '{count, plural, one {# entity follows a rare path that is not shown.} other {# entities follow rare paths that are not shown.}}',
        { count: rare },
      ),
    long > 0 &&
      translate(
        'picture.steps.long',
        '{count, plural, one {# entity continues past the last step shown.} other {# entities continue past the last step shown.}}',
        { count: long },
      ),
    nameless > 0 &&
      translate(
        'picture.steps.nameless',
        '{count, plural, one {# event has no entity and is not shown.} other {# events have no entity and are not shown.}}',
        { count: nameless },
      ),
  ]
    .filter(Boolean)
    .join(' ')
