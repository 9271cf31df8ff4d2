import type { TemplateValue } from './values.ts'

/** What a macro gives when a viewer chose it, or when it stands in the data: no author wrote it. */
export class UntrustedValue {
  readonly value: TemplateValue
  constructor(value: TemplateValue) {
    this.value = value
  }
}

/** A function that templates may call. */
export interface Macro {
  /** A promise is waited for and the template begun again; equal calls are asked once. */
  call(
    args: TemplateValue[],
    named: Record<string, TemplateValue>,
  ): TemplateValue | UntrustedValue | Promise<TemplateValue | UntrustedValue>
}
