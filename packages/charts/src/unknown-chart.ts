import Type from 'typebox'
import { defineChart, type AnyChart } from './define.ts'

/** Stands for a type that nobody here draws: no controls, the rows that its form asks for by the usual names, no picture. */
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
