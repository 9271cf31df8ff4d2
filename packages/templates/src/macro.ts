import type { TemplateValue } from './values.ts'

/** Result of a macro that comes from a viewer or from the data, not from the template's author. */
export class UntrustedValue {
  readonly value: TemplateValue
  /** Strings are written as SQL literals outside of quotes, where others are refused. */
  readonly asLiteral: boolean
  constructor(value: TemplateValue, { asLiteral = false } = {}) {
    this.value = value
    this.asLiteral = asLiteral
  }
}

/** Function that templates can call. */
export interface Macro {
  /** Rendering restarts when a promise resolves; equal calls are made only once. */
  call(
    args: TemplateValue[],
    named: Record<string, TemplateValue>,
  ): TemplateValue | UntrustedValue | Promise<TemplateValue | UntrustedValue>
}
