export { default } from '../shared/map/map-svg.ts'
