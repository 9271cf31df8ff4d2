import { createContext } from 'react'

/** `isAnalogous` of `ColorScaleOptions`, for charts that get no color scale from a dashboard. */
export const AnalogousColorsContext = createContext(false)
