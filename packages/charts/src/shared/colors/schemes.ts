export interface CategoricalScheme {
  id: string
  label: string
  colors: readonly string[]
}

/** Twelve colors tested for four types of color vision, with a value for light and for dark backgrounds per slot. */
export const parquetry = {
  light: '#3f6bdc #c27f1c #2c9081 #9e4a93 #085f37 #602289 #6f752e #921d02 #1597da #dc5782 #826a5f #4d515d'.split(' '),
  dark: '#6783fb #ffb32f #7de5c9 #b97cac #40a45d #8261af #cdd995 #be4b1f #5eb5fc #fd829a #896d63 #b4bbd2'.split(' '),
}

/** Scheme of forms that set none: the API's default, so that an imported chart keeps its colors. New charts set `parquetry`. */
export const defaultScheme = 'supersetColors'

const scheme = (id: string, label: string, colors: string): CategoricalScheme => ({
  id,
  label,
  colors: colors.split(' '),
})

/** Schemes by the names used in saved charts; the values are those with which the documents were drawn. */
export const schemes: readonly CategoricalScheme[] = [
  { id: 'parquetry', label: 'Parquetry', colors: parquetry.light },
  scheme(
    'supersetColors',
    'Superset Colors',
    '#1fa8c9 #454e7c #5ac189 #ff7f44 #666666 #e04355 #fcc700 #a868b7 #3ccccb #a38f79 #8fd3e4 #a1a6bd #ace1c4 #fec0a1 #b2b2b2 #efa1aa #fde380 #d3b3da #9ee5e5 #d1c6bc',
  ),
  scheme(
    'supersetAndPresetColors',
    'Preset + Superset',
    '#004960 #2893b3 #20a7c9 #5cc0da #7dcde1 #a9d3e1 #c6ece1 #aae2d2 #71cfb4 #2fc096 #178f7a #067162',
  ),
  scheme(
    'presetColors',
    'Preset Colors',
    '#6bd3b3 #fcc550 #408184 #66cbe2 #ee5960 #484e5a #ff874e #03748e #c9bbab #b17baa #b5e9d9 #fde2a7 #9fc0c1 #b2e5f0 #f6acaf #a4a6ac #ffc3a6 #81b9c6 #e4ddd5 #d9bdd5',
  ),
  scheme(
    'bnbColors',
    'Airbnb Colors',
    '#29696b #5bcace #f4b02a #f1826a #792eb2 #c96ec6 #921e50 #b27700 #9c3498 #9c3498 #e4679d #c32f0e #9d63ca',
  ),
  scheme(
    'lyftColors',
    'Lyft Colors',
    '#ea0b8c #6c838e #29abe2 #33d9c1 #9dacb9 #7560aa #2d5584 #831c4a #333d47 #ac2077',
  ),
  scheme(
    'd3Category10',
    'D3 Category 10',
    '#1f77b4 #ff7f0e #2ca02c #d62728 #9467bd #8c564b #e377c2 #7f7f7f #bcbd22 #17becf',
  ),
  scheme(
    'd3Category20',
    'D3 Category 20',
    '#1f77b4 #aec7e8 #ff7f0e #ffbb78 #2ca02c #98df8a #d62728 #ff9896 #9467bd #c5b0d5 #8c564b #c49c94 #e377c2 #f7b6d2 #7f7f7f #c7c7c7 #bcbd22 #dbdb8d #17becf #9edae5',
  ),
  scheme(
    'd3Category20b',
    'D3 Category 20b',
    '#393b79 #5254a3 #6b6ecf #9c9ede #637939 #8ca252 #b5cf6b #cedb9c #8c6d31 #bd9e39 #e7ba52 #e7cb94 #843c39 #ad494a #d6616b #e7969c #7b4173 #a55194 #ce6dbd #de9ed6',
  ),
  scheme(
    'd3Category20c',
    'D3 Category 20c',
    '#3182bd #6baed6 #9ecae1 #c6dbef #e6550d #fd8d3c #fdae6b #fdd0a2 #31a354 #74c476 #a1d99b #c7e9c0 #756bb1 #9e9ac8 #bcbddc #dadaeb #636363 #969696 #bdbdbd #d9d9d9',
  ),
  scheme(
    'echarts4Colors',
    'ECharts v4.x Colors',
    '#c23531 #2f4554 #61a0a8 #d48265 #91c7ae #749f83 #ca8622 #bda29a #6e7074 #546570 #c4ccd3',
  ),
  scheme(
    'echarts5Colors',
    'ECharts v5.x Colors',
    '#5470c6 #91cc75 #fac858 #ee6666 #73c0de #3ba272 #fc8452 #9a60b4 #ea7ccc',
  ),
  scheme(
    'googleCategory10c',
    'Google Category 10c',
    '#3366cc #dc3912 #ff9900 #109618 #990099 #0099c6 #dd4477 #66aa00 #b82e2e #316395',
  ),
  scheme(
    'googleCategory20c',
    'Google Category 20c',
    '#3366cc #dc3912 #ff9900 #109618 #990099 #0099c6 #dd4477 #66aa00 #b82e2e #316395 #994499 #22aa99 #aaaa11 #6633cc #e67300 #8b0707 #651067 #329262 #5574a6 #3b3eac',
  ),
  scheme(
    'modernSunset',
    'Modern sunset',
    '#0080f6 #254081 #6c4592 #a94693 #dc4180 #f35193 #ff7582 #ff4c5d #ff824e #ffad2a #ffdb04 #f3f700',
  ),
  scheme(
    'colorsOfRainbow',
    'Colors of rainbow',
    '#41ed86 #2fc096 #01dfff #153ae0 #850ad6 #bd59ff #ff4a96 #c32668 #f40000 #ff8901 #ffbc0a #ffec43',
  ),
  scheme(
    'blueToGreen',
    'Blue to green',
    '#3200a7 #004cda #0074f1 #0096ef #53bfff #41c8e6 #30dede #04d9c7 #00eaa2 #a6ff93',
  ),
  scheme(
    'redToYellow',
    'Red to yellow',
    '#90042a #d60039 #d1353b #e45233 #f47028 #fe8e17 #ffad00 #ffcc00 #ffe601 #fff46d',
  ),
  scheme(
    'wavesOfBlue',
    'Waves of blue',
    '#070061 #0a0095 #0054b4 #006be7 #2289ff #4a9fff #76b6ff #9dcbff #bedcff #daebff',
  ),
]

const byId = new Map(schemes.map((each) => [each.id, each]))

/** EXP-079, EXP-080: an unknown scheme is replaced by the built-in default. */
export const schemeOf = (id: string | null | undefined): CategoricalScheme =>
  (byId.get(id ?? defaultScheme) ?? byId.get(defaultScheme)) as CategoricalScheme
