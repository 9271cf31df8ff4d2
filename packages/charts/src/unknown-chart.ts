import Type from 'typebox'
import { defineChart, type AnyChart } from './define.ts'

/** Represents an unsupported type: no controls, the rows that its form queries under the usual names, no drawing. */
export const unknownChart = (viz_type: string): AnyChart =>
  defineChart({
    viz_type,
    name: viz_type,
    category: '',
    tags: [],
    description: '',
    icon: 'chart',
    series: [],
    behaviors: [],
    form: Type.Object({}),
    queries: () => ({ rows: {} }),
    spec: () => ({}),
  })
