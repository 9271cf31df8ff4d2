import { createContext } from 'react'

/** See `ColorScaleOptions`; for charts whose host gives them no color scale. */
export const AnalogousColorsContext = createContext(false)
