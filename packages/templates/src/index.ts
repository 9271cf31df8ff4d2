export { TemplateError } from './errors.ts'
export { macrosOf, type MacroScope, type TemplateFilter, type UsedFilters } from './macros.ts'
export { FromViewer, isTemplate, type Macro, render, type Rendered, type TemplateContext } from './render.ts'
export type { TemplateValue } from './values.ts'
