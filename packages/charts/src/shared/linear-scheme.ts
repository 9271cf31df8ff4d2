import Type from 'typebox'
import { control, type Control } from '../define.ts'
import { ramps } from './colors/ramps.ts'

/** Colours from low to high; a name that is not ours is drawn as the first one. */
export const linearScheme = (more: Partial<Control> = {}) =>
  control(Type.String({ default: 'lapis' }), {
    label: 'Linear color scheme',
    group: 'look',
    as: 'linear-scheme',
    options: Object.fromEntries(Object.entries(ramps).map(([name, { label }]) => [name, label])),
    ...more,
  })
