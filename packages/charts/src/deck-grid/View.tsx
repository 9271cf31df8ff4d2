export { default } from '../shared/map/MapView.tsx'
