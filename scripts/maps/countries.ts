/** A map of the regions of a country, as created by `make-maps.ts`. */
export interface CountryMap {
  /** Key in forms: `select_country` of the API. */
  key: string
  label: string
  /** ISO 3166-1 alpha-2. */
  iso: string
  /** File of the source. */
  file: string
  /** ISO codes of shapes whose name in the source does not match: `name = code`; without a code the shape is left out. */
  named?: string
  /** ISO codes of shapes whose name is not unique in the source: `index of the shape = code`. */
  placed?: Record<number, string>
  /** Regions that consist of others: their shape is the union of those. */
  unions?: Record<string, readonly string[]>
  /** Former codes, which data may still contain. */
  also?: Record<string, readonly string[]>
  /** Parts of a region outside this box are left out: islands so far away that everything else would be small. */
  cut?: Record<string, readonly [west: number, south: number, east: number, north: number]>
  /** Codes of regions that are drawn in a separate box beside the others. */
  insets?: readonly (readonly string[])[]
  /** Codes of the standard that are not regions of this map, by reason. */
  without?: Partial<Record<Reason, string | RegExp>>
  /** Codes of shapes that the list of the standard lacks, with their names: since divided, or newer than the list. */
  beyond?: Record<string, string>
  /** A separate map of the units above them. */
  groups?: { key: string; label: string }
}

export const reasons = {
  level: 'another level than the one that is drawn',
  younger: 'younger than the shapes of the source; its ground belongs to the region that it came from',
  elsewhere: 'not among the shapes that the source has for this country',
} as const
export type Reason = keyof typeof reasons

const all: CountryMap[] = [
  { key: 'argentina', label: 'Argentina', iso: 'AR', file: 'arg', named: 'Ciudad de Buenos Aires=AR-C' },
  {
    key: 'australia',
    label: 'Australia',
    iso: 'AU',
    file: 'aus',
    named: 'Macquarie Island= | Jervis Bay Territory=AU-NSW | Norfolk Island=',
    cut: { 'AU-TAS': [143, -44.5, 149.5, -39], 'AU-NSW': [140, -38, 155, -28] },
  },
  { key: 'austria', label: 'Austria', iso: 'AT', file: 'aut' },
  {
    key: 'belgium',
    label: 'Belgium',
    iso: 'BE',
    file: 'bel',
    unions: {
      'BE-VLG': ['BE-VAN', 'BE-VBR', 'BE-VLI', 'BE-VOV', 'BE-VWV'],
      'BE-WAL': ['BE-WBR', 'BE-WHT', 'BE-WLG', 'BE-WLX', 'BE-WNA'],
    },
  },
  { key: 'bolivia', label: 'Bolivia', iso: 'BO', file: 'bol' },
  {
    key: 'brazil',
    label: 'Brazil',
    iso: 'BR',
    file: 'bra',
    cut: { 'BR-ES': [-43, -22, -39, -17], 'BR-PE': [-42, -10, -34.5, -7] },
  },
  { key: 'bulgaria', label: 'Bulgaria', iso: 'BG', file: 'bgr', named: 'Grad Sofiya=BG-22 | Sofia=BG-23' },
  { key: 'burundi', label: 'Burundi', iso: 'BI', file: 'bdi', without: { younger: 'BI-RM' } },
  { key: 'canada', label: 'Canada', iso: 'CA', file: 'can' },
  {
    key: 'chile',
    label: 'Chile',
    iso: 'CL',
    file: 'chl',
    named: 'Magallanes y Antártica Chilena=CL-MA',
    cut: { 'CL-VS': [-72.5, -34.5, -69, -31.5] },
    without: { younger: 'CL-NB' },
  },
  {
    key: 'china',
    label: 'China',
    iso: 'CN',
    file: 'chn',
    named: 'Xizang=CN-XZ | Inner Mongol=CN-NM | Paracel Islands=CN-HI',
    without: { elsewhere: 'CN-HK CN-MO CN-TW' },
  },
  {
    key: 'colombia',
    label: 'Colombia',
    iso: 'CO',
    file: 'col',
    named: 'San Andrés y Providencia=CO-SAP | Bogota=CO-DC',
    insets: [['CO-SAP']],
  },
  {
    key: 'costa_rica',
    label: 'Costa Rica',
    iso: 'CR',
    file: 'cri',
    cut: { 'CR-P': [-86, 8, -82, 11.5] },
  },
  {
    key: 'croatia',
    label: 'Croatia',
    iso: 'HR',
    file: 'hrv',
    named:
      'Bjelovarska-Bilogorska=HR-07 | Viroviticko-Podravska=HR-10 | Zagrebacka=HR-01 | Grad Zagreb=HR-21 | Sisacko-Moslavacka=HR-03',
    placed: { 13: 'HR-12', 15: 'HR-11' },
  },
  { key: 'cuba', label: 'Cuba', iso: 'CU', file: 'cub', named: 'Ciudad de la Habana=CU-03' },
  { key: 'cyprus', label: 'Cyprus', iso: 'CY', file: 'cyp', without: { elsewhere: 'CY-06' } },
  { key: 'czech_republic', label: 'Czechia', iso: 'CZ', file: 'cze', without: { level: /^CZ-\d\d[\dA-Z]$/ } },
  {
    key: 'denmark',
    label: 'Denmark',
    iso: 'DK',
    file: 'dnk',
    named: 'Midtjylland=DK-82 | Sjaælland=DK-85 | Nordjylland=DK-81 | Hovedstaden=DK-84 | Syddanmark=DK-83',
    without: { level: /^DK-(0\d\d|101|147)$/ },
  },
  { key: 'ecuador', label: 'Ecuador', iso: 'EC', file: 'ecu', insets: [['EC-W']] },
  { key: 'egypt', label: 'Egypt', iso: 'EG', file: 'egy', named: 'Al Wadi at Jadid=EG-WAD' },
  {
    key: 'estonia',
    label: 'Estonia',
    iso: 'EE',
    file: 'est',
    named:
      'Harju=EE-37 | Hiiu=EE-39 | Ida-Viru=EE-45 | Jõgeva=EE-50 | Järva=EE-52 | Lääne=EE-56 | Lääne-Viru=EE-60 | Põlva=EE-64 | Pärnu=EE-68 | Rapla=EE-71 | Saare=EE-74 | Tartu=EE-79 | Valga=EE-81 | Viljandi=EE-84 | Võru=EE-87',
    without: { level: /^EE-\d{3}$/ },
  },
  {
    key: 'ethiopia',
    label: 'Ethiopia',
    iso: 'ET',
    file: 'eth',
    named: 'Gambela Peoples=ET-GA | Benshangul-Gumaz=ET-BE | Harari People=ET-HA',
    without: { younger: 'ET-SI ET-SW' },
  },
  {
    key: 'finland',
    label: 'Finland',
    iso: 'FI',
    file: 'fin',
    named: 'Finland Proper=FI-19',
    without: { elsewhere: 'FI-01' },
  },
  {
    key: 'france',
    label: 'France',
    iso: 'FR',
    file: 'fra',
    named: 'Haute-Rhin=FR-68 | Meurhe-et-Moselle=FR-54 | Seien-et-Marne=FR-77',
    also: { 'FR-75C': ['FR-75'] },
    insets: [['FR-971'], ['FR-972'], ['FR-973'], ['FR-974'], ['FR-976']],
    without: {
      younger: 'FR-69M',
      elsewhere: 'FR-BL FR-CP FR-MF FR-NC FR-PF FR-PM FR-TF FR-WF',
    },
    groups: { key: 'france_regions', label: 'France (regions)' },
  },
  { key: 'germany', label: 'Germany', iso: 'DE', file: 'deu' },
  {
    key: 'greece',
    label: 'Greece',
    iso: 'GR',
    file: 'grc',
    named: 'Ionioi Nisoi=GR-F | Ayion Oros=GR-69 | Anatoliki Makedonia kai Thraki=GR-A',
  },
  { key: 'hungary', label: 'Hungary', iso: 'HU', file: 'hun', placed: { 4: 'HU-VE', 26: 'HU-VM' } },
  {
    key: 'iceland',
    label: 'Iceland',
    iso: 'IS',
    file: 'isl',
    named: 'Reykjavík=IS-1',
    without: { level: /^IS-[A-Z]{3}$/ },
  },
  {
    key: 'india',
    label: 'India',
    iso: 'IN',
    file: 'ind',
    named:
      'Orissa=IN-OD | Dadra and Nagar Haveli=IN-DH | Andaman and Nicobar=IN-AN | Uttaranchal=IN-UK | Daman and Diu=IN-DH',
    also: { 'IN-OD': ['IN-OR'], 'IN-UK': ['IN-UT', 'IN-UL'], 'IN-CG': ['IN-CT'], 'IN-DH': ['IN-DN', 'IN-DD'] },
    without: { younger: 'IN-LA IN-TS' },
  },
  {
    key: 'indonesia',
    label: 'Indonesia',
    iso: 'ID',
    file: 'idn',
    named: 'Bangka-Belitung=ID-BB | Irian Jaya Barat=ID-PB | Papua=ID-PA',
    without: { younger: 'ID-KU ID-PD ID-PE ID-PS ID-PT', level: 'ID-JW ID-KA ID-ML ID-NU ID-PP ID-SL ID-SM' },
  },
  {
    key: 'iran',
    label: 'Iran',
    iso: 'IR',
    file: 'irn',
    named:
      'Kohgiluyeh and Buyer Ahmad=IR-17 | Chahar Mahall and Bakhtiari=IR-14 | Ardebil=IR-24 | East Azarbaijan=IR-03 | West Azarbaijan=IR-04 | North Khorasan=IR-28 | Razavi Khorasan=IR-09 | South Khorasan=IR-29 | Bushehr=IR-18 | Khuzestan=IR-06 | Fars=IR-07 | Tehran=IR-23 | Mazandaran=IR-02 | Semnan=IR-20 | Kordestan=IR-12 | Ilam=IR-16 | Kermanshah=IR-05 | Hamadan=IR-13 | Sistan and Baluchestan=IR-11 | Alborz=IR-30 | Zanjan=IR-19 | Esfahan=IR-10 | Kerman=IR-08 | Yazd=IR-21 | Hormozgan=IR-22 | Markazi=IR-00 | Gilan=IR-01 | Lorestan=IR-15 | Qom=IR-25 | Qazvin=IR-26 | Golestan=IR-27',
  },
  {
    key: 'ireland',
    label: 'Ireland',
    iso: 'IE',
    file: 'irl',
    named:
      'South Tipperary=IE-TA | North Tipperary=IE-TA | South Dublin=IE-D | Fingal=IE-D | Dún Laoghaire–Rathdown=IE-D | Laoighis=IE-LS',
  },
  {
    key: 'italy',
    label: 'Italy',
    iso: 'IT',
    file: 'ita',
    named:
      'Carbonia-Iglesias=IT-SU | Medio Campidano=IT-SU | Oristrano=IT-OR | Olbia-Tempio=IT-SS | Ogliastra=IT-NU | Crotene=IT-KR | Aoste=IT-23',
    also: { 'IT-23': ['IT-AO'], 'IT-SU': ['IT-CI', 'IT-VS'], 'IT-SS': ['IT-OT'], 'IT-NU': ['IT-OG'] },
    groups: { key: 'italy_regions', label: 'Italy (regions)' },
  },
  { key: 'japan', label: 'Japan', iso: 'JP', file: 'jpn', cut: { 'JP-13': [138, 34, 140.5, 36.5] } },
  { key: 'jordan', label: 'Jordan', iso: 'JO', file: 'jor' },
  {
    key: 'korea',
    label: 'Korea',
    iso: 'KR',
    file: 'kor',
  },
  { key: 'kuwait', label: 'Kuwait', iso: 'KW', file: 'kwt', named: 'Al Jahrah=KW-JA' },
  { key: 'liechtenstein', label: 'Liechtenstein', iso: 'LI', file: 'lie' },
  {
    key: 'lithuania',
    label: 'Lithuania',
    iso: 'LT',
    file: 'ltu',
    named:
      'Alytaus=LT-AL | Kauno=LT-KU | Klaipedos=LT-KL | Marijampoles=LT-MR | Panevezio=LT-PN | Šiauliai=LT-SA | Siauliai=LT-SA | Taurages=LT-TA | Telšiai=LT-TE | Telsiai=LT-TE | Utenos=LT-UT | Vilniaus=LT-VL',
    without: { level: /^LT-\d\d$/ },
  },
  { key: 'malaysia', label: 'Malaysia', iso: 'MY', file: 'mys', named: 'Trengganu=MY-11' },
  {
    key: 'mexico',
    label: 'Mexico',
    iso: 'MX',
    file: 'mex',
    named: 'Distrito Federal=MX-CMX',
    also: { 'MX-CMX': ['MX-DIF'] },
    cut: { 'MX-COL': [-105.5, 18, -103, 20], 'MX-BCN': [-118, 27.5, -112, 33] },
  },
  { key: 'myanmar', label: 'Myanmar', iso: 'MM', file: 'mmr', without: { younger: 'MM-18' } },
  {
    key: 'netherlands',
    label: 'Netherlands',
    iso: 'NL',
    file: 'nld',
    named: 'St. Eustatius=NL-BQ3',
    insets: [['NL-BQ1'], ['NL-BQ2', 'NL-BQ3']],
    without: { elsewhere: 'NL-AW NL-CW NL-SX' },
  },
  {
    key: 'new_zealand',
    label: 'New Zealand',
    iso: 'NZ',
    file: 'nzl',
    named:
      'Kermadec Islands= | Tokelau= | Three Kings Islands=NZ-NTL | Antipodes Islands= | Campbell Islands= | Auckland Islands= | The Snares=',
    insets: [['NZ-CIT']],
  },
  { key: 'nigeria', label: 'Nigeria', iso: 'NG', file: 'nga', named: 'Nassarawa=NG-NA' },
  {
    key: 'norway',
    beyond: {
      'NO-31': 'Østfold',
      'NO-32': 'Akershus',
      'NO-33': 'Buskerud',
      'NO-39': 'Vestfold',
      'NO-40': 'Telemark',
      'NO-55': 'Troms',
      'NO-56': 'Finnmark',
    },
    label: 'Norway',
    iso: 'NO',
    file: 'nor',
    named:
      'Bouvet Island= | Østfold=NO-31 | Akershus=NO-32 | Buskerud=NO-33 | Hedmark=NO-34 | Oppland=NO-34 | Vestfold=NO-39 | Telemark=NO-40 | Aust-Agder=NO-42 | Vest-Agder=NO-42 | Hordaland=NO-46 | Sogn og Fjordane=NO-46 | Sør-Trøndelag=NO-50 | Nord-Trøndelag=NO-50 | Troms=NO-55 | Finnmark=NO-56',
    unions: { 'NO-30': ['NO-31', 'NO-32', 'NO-33'], 'NO-38': ['NO-39', 'NO-40'], 'NO-54': ['NO-55', 'NO-56'] },
    cut: { 'NO-18': [10, 64, 20, 70] },
    insets: [['NO-21']],
    without: { elsewhere: 'NO-22' },
  },
  {
    key: 'oman',
    label: 'Oman',
    iso: 'OM',
    file: 'omn',
    named:
      'Ad Dakhliyah=OM-DA | Ash Sharqiyah South=OM-SJ | Al Dhahira=OM-ZA | Al Batnah North=OM-BS | Ash Sharqiyah North=OM-SS | Al Batnah South=OM-BJ',
  },
  {
    key: 'pakistan',
    label: 'Pakistan',
    iso: 'PK',
    file: 'pak',
    named: 'Baluchistan=PK-BA | F.C.T.=PK-IS | Northern Areas=PK-GB | F.A.T.A.=PK-TA | Sind=PK-SD | N.W.F.P.=PK-KP',
  },
  {
    key: 'peru',
    label: 'Peru',
    iso: 'PE',
    file: 'per',
    placed: { 0: 'PE-CAL', 8: 'PE-PUN', 21: 'PE-LMA', 25: 'PE-LIM' },
  },
  {
    key: 'philippines',
    beyond: { 'PH-MAG': 'Maguindanao' },
    label: 'Philippines',
    iso: 'PH',
    file: 'phl',
    named:
      'Zamboanga=PH-ZAS | Mandaue=PH-CEB | Lapu-Lapu=PH-CEB | Bacolod=PH-NEC | General Santos=PH-SCO | Iligan=PH-LAN | Cagayan de Oro=PH-MSR | Butuan=PH-AGN | Puerto Princesa=PH-PLW | Ormoc=PH-LEY | Tacloban=PH-LEY | Naga=PH-CAS | Santiago=PH-ISA | Angeles=PH-PAM | Baguio=PH-BEN | Olongapo=PH-ZMB | Dagupan=PH-PAN | Lucena=PH-QUE | Quezon City=PH-00 | Mandaluyong City=PH-00 | Manila=PH-00 | Navotas=PH-00 | Caloocan=PH-00 | Malabon=PH-00 | Valenzuela=PH-00 | Marikina=PH-00 | San Juan=PH-00 | Pasig=PH-00 | Makati=PH-00 | Pasay=PH-00 | Paranaque=PH-00 | Las Pinas=PH-00 | Muntinlupa=PH-00 | Taguig=PH-00 | Pateros=PH-00 | Maguindanao=PH-MAG',
    placed: { 33: 'PH-ISA', 81: 'PH-BAS', 58: 'PH-NCO', 87: 'PH-MAG' },
    without: { younger: 'PH-DIN PH-DVO PH-MGN PH-MGS' },
    groups: { key: 'philippines_regions', label: 'Philippines (regions)' },
  },
  {
    key: 'poland',
    label: 'Poland',
    iso: 'PL',
    file: 'pol',
    named:
      'Warmian-Masurian=PL-28 | Pomeranian=PL-22 | Lower Silesian=PL-02 | West Pomeranian=PL-32 | Kuyavian-Pomeranian=PL-04 | Silesian=PL-24 | Masovian=PL-14 | Podlachian=PL-20 | Subcarpathian=PL-18',
    also: {
      'PL-02': ['PL-DS'],
      'PL-04': ['PL-KP'],
      'PL-06': ['PL-LU'],
      'PL-08': ['PL-LB'],
      'PL-10': ['PL-LD'],
      'PL-12': ['PL-MA'],
      'PL-14': ['PL-MZ'],
      'PL-16': ['PL-OP'],
      'PL-18': ['PL-PK'],
      'PL-20': ['PL-PD'],
      'PL-22': ['PL-PM'],
      'PL-24': ['PL-SL'],
      'PL-26': ['PL-SK'],
      'PL-28': ['PL-WN'],
      'PL-30': ['PL-WP'],
      'PL-32': ['PL-ZP'],
    },
  },
  { key: 'portugal', label: 'Portugal', iso: 'PT', file: 'prt', insets: [['PT-20'], ['PT-30']] },
  {
    key: 'qatar',
    label: 'Qatar',
    iso: 'QA',
    file: 'qat',
    named: 'Al Khawr=QA-KH | Madinat ach Shamal=QA-MS',
    without: { younger: 'QA-SH' },
  },
  { key: 'romania', label: 'Romania', iso: 'RO', file: 'rou' },
  {
    key: 'russia',
    label: 'Russia',
    iso: 'RU',
    file: 'rus',
    named:
      "Adygey=RU-AD | Ingush=RU-IN | Kabardin-Balkar=RU-KB | North Ossetia=RU-SE | Stavropol'=RU-STA | Chukchi Autonomous Okrug=RU-CHU | City of St. Petersburg=RU-SPE | Nizhegorod=RU-NIZ | Moskovsskaya=RU-MOS | Orel=RU-ORL | Krasnodar=RU-KDA | Yamal-Nenets=RU-YAN | Kalmyk=RU-KL | Khanty-Mansiy=RU-KHM | Gorno-Altay=RU-AL | Altay=RU-ALT | Khakass=RU-KK | Chechnya=RU-CE | Krasnoyarsk=RU-KYA | Chita=RU-ZAB | Primor'ye=RU-PRI | Sakha (Yakutia)=RU-SA | Yevrey=RU-YEV | Khabarovsk=RU-KHA | Maga Buryatdan=RU-MAG | Perm'=RU-PER | Kamchatka=RU-KAM",
  },
  { key: 'rwanda', label: 'Rwanda', iso: 'RW', file: 'rwa' },
  { key: 'saudi_arabia', label: 'Saudi Arabia', iso: 'SA', file: 'sau', named: 'Al Quassim=SA-05' },
  { key: 'singapore', label: 'Singapore', iso: 'SG', file: 'sgp' },
  {
    key: 'slovakia',
    label: 'Slovakia',
    iso: 'SK',
    file: 'svk',
    named:
      'Bratislavský=SK-BL | Banskobystrický=SK-BC | Žilinský=SK-ZI | Nitriansky=SK-NI | Trenciansky=SK-TC | Trnavský=SK-TA | Košický=SK-KI | Prešov=SK-PV | Prešovský=SK-PV',
  },
  {
    key: 'slovenia',
    label: 'Slovenia',
    iso: 'SI',
    file: 'svn',
    named: 'Zasavska=SI-142 | Šentjur pri Celju=SI-120 | Nova Goriška=SI-084 | Šmartno in Litiji=SI-194',
    without: { younger: /^SI-(19[6-9]|20\d|21[0-3])$/, elsewhere: 'SI-010 SI-088' },
  },
  {
    key: 'south_africa',
    label: 'South Africa',
    iso: 'ZA',
    file: 'zaf',
    named: 'Orange Free State=ZA-FS',
    cut: { 'ZA-WC': [17, -35.5, 25, -30] },
  },
  {
    key: 'spain',
    label: 'Spain',
    iso: 'ES',
    file: 'esp',
    named:
      'Baleares=ES-PM | Gerona=ES-GI | La Coruña=ES-C | Lérida=ES-L | Orense=ES-OR | Murcia=ES-MU | Asturias=ES-O | Cantabria=ES-S',
    insets: [['ES-TF', 'ES-GC']],
    groups: { key: 'spain_regions', label: 'Spain (autonomous communities)' },
  },
  { key: 'sweden', label: 'Sweden', iso: 'SE', file: 'swe' },
  { key: 'switzerland', label: 'Switzerland', iso: 'CH', file: 'che' },
  {
    key: 'syria',
    label: 'Syria',
    iso: 'SY',
    file: 'syr',
    named: 'Lattakia=SY-LA | Homs (Hims)=SY-HI | Hasaka (Al Haksa)=SY-HA | UNDOF=SY-QU',
  },
  {
    key: 'tanzania',
    label: 'Tanzania',
    iso: 'TZ',
    file: 'tza',
    named: 'Zanzibar South and Central=TZ-11 | Zanzibar West=TZ-15',
    without: { younger: 'TZ-31' },
  },
  {
    key: 'thailand',
    label: 'Thailand',
    iso: 'TH',
    file: 'tha',
    named: 'Bangkok Metropolis=TH-10',
    without: { level: 'TH-S' },
  },
  { key: 'timorleste', label: 'Timor-Leste', iso: 'TL', file: 'tls', named: 'Ambeno=TL-OE' },
  {
    key: 'turkey',
    label: 'Türkiye',
    iso: 'TR',
    file: 'tur',
    named: 'K. Maras=TR-46 | Zinguldak=TR-67 | Kinkkale=TR-71',
  },
  {
    key: 'uganda',
    label: 'Uganda',
    iso: 'UG',
    file: 'uga',
    named: 'Luweero=UG-104 | Kibale=UG-407 | Bukomansimbi=UG-118',
    placed: { 67: 'UG-410', 70: 'UG-419' },
    without: { younger: /^UG-(12[56]|23[3-7]|33[1-7]|42[7-9]|43[0-5])$/ },
  },
  {
    key: 'uk',
    beyond: { 'GB-NTH': 'Northamptonshire' },
    label: 'United Kingdom',
    iso: 'GB',
    file: 'gbr',
    named:
      'North Ayshire=GB-NAY | Perthshire and Kinross=GB-PKN | Poole=GB-BCP | Bournemouth=GB-BCP | Derry=GB-DRS | Strabane=GB-DRS | Omagh=GB-FMO | Fermanagh=GB-FMO | Newry and Mourne=GB-NMD | Down=GB-NMD | Banbridge=GB-ABC | Craigavon=GB-ABC | Armagh=GB-ABC | Dungannon=GB-MUL | Cookstown=GB-MUL | Magherafelt=GB-MUL | Lisburn=GB-LBC | Castlereagh=GB-LBC | Antrim=GB-ANN | Newtownabbey=GB-ANN | Ballymena=GB-MEA | Larne=GB-MEA | Carrickfergus=GB-MEA | North Down=GB-AND | Ards=GB-AND | Coleraine=GB-CCG | Ballymoney=GB-CCG | Limavady=GB-CCG | Moyle=GB-CCG | Belfast=GB-BFS | Orkney=GB-ORK | Merseyside=GB-SHN | Royal Borough of Windsor and Maidenhead=GB-WNM | City=GB-LND | Northamptonshire=GB-NTH',
    placed: { 102: 'GB-WRL', 230: 'GB-HAL', 40: 'GB-BST' },
    without: {
      level: 'GB-EAW GB-ENG GB-GBN GB-NIR GB-SCT GB-UKM GB-WLS',
      younger: 'GB-NNH GB-WNH',
    },
  },
  {
    key: 'ukraine',
    label: 'Ukraine',
    iso: 'UA',
    file: 'ukr',
    named:
      "Mykolayiv=UA-48 | Chernihiv=UA-74 | Rivne=UA-56 | Ivano-Frankivs'k=UA-26 | Khmel'nyts'kyy=UA-68 | L'viv=UA-46 | Ternopil'=UA-61 | Transcarpathia=UA-21 | Cherkasy=UA-71 | Kirovohrad=UA-35 | Kiev=UA-32 | Odessa=UA-51 | Vinnytsya=UA-05 | Zhytomyr=UA-18 | Sumy=UA-59 | Dnipropetrovs'k=UA-12 | Donets'k=UA-14 | Kharkiv=UA-63 | Luhans'k=UA-09 | Poltava=UA-53 | Kiev City=UA-30 | Kherson=UA-65",
  },
  {
    key: 'united_arab_emirates',
    label: 'United Arab Emirates',
    iso: 'AE',
    file: 'are',
    named: 'Dubay=AE-DU | Neutral Zone=',
  },
  { key: 'uruguay', label: 'Uruguay', iso: 'UY', file: 'ury' },
  {
    key: 'usa',
    label: 'United States',
    iso: 'US',
    file: 'usa',
    insets: [['US-AK'], ['US-HI']],
    without: { elsewhere: 'US-AS US-GU US-MP US-PR US-UM US-VI' },
  },
  { key: 'venezuela', label: 'Venezuela', iso: 'VE', file: 'ven' },
  {
    key: 'vietnam',
    label: 'Vietnam',
    iso: 'VN',
    file: 'vnm',
    named: 'Đông Bắc=VN-53 | Đồng Bằng Sông Hồng=VN-66 | Đông Nam Bộ=VN-39 | Ð?ng Tháp=VN-45',
  },
  { key: 'zambia', label: 'Zambia', iso: 'ZM', file: 'zmb' },
]

export const countries: readonly CountryMap[] = all
