import Type from 'typebox'
import { control, type Control } from '../define.ts'
import { ramps } from './colors/ramps.ts'

/** Control for colors from low to high; an unknown name is drawn as the first scheme. */
export const linearScheme = (more: Partial<Control> = {}) =>
  control(Type.String({ default: 'lapis' }), {
    label: 'Linear color scheme',
    group: 'look',
    as: 'linear-scheme',
    options: Object.fromEntries(Object.entries(ramps).map(([name, { label }]) => [name, label])),
    ...more,
  })
