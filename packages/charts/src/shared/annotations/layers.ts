import type { AnnotationLayer } from '@parquetry/model'
import Type from 'typebox'
import { control } from '../../define.ts'

/** Control of charts that support annotation layers; the keys of a layer are those of the API. */
export const annotationLayers = control(Type.Array(Type.Unknown(), { default: [] }), {
  label: 'Annotation layers',
  group: 'look',
  as: 'annotation-layers',
  description: 'Events, intervals, formulas and other charts drawn over this one.',
})

const types: readonly unknown[] = [
  'FORMULA',
  'EVENT',
  'INTERVAL',
  'TIME_SERIES',
] satisfies AnnotationLayer['annotationType'][]

/** Returns the valid layers of a form; other entries stay stored and are ignored. */
export const readAnnotationLayers = (value: unknown): AnnotationLayer[] =>
  (Array.isArray(value) ? (value as unknown[]) : []).filter((entry): entry is AnnotationLayer => {
    const { name, annotationType } = (entry ?? {}) as Partial<AnnotationLayer>
    return typeof name === 'string' && types.includes(annotationType)
  })

export const isShown = ({ show }: AnnotationLayer): boolean => show !== false
