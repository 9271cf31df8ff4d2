export { drawChart, type DrawLook } from './draw-chart.ts'
