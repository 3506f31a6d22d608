/** Comes from configuration: a broker puts its own name on without touching code. */
export type Brand = { name: string; logo?: string; support: readonly { label: string; href: string }[] }

export const HOUSE = 'Khata'

/** 175 px wide. A broker without a picture of its own gets its name in letters. */
export function Logo({ brand }: { brand: Brand }) {
	if (brand.logo) return <img src={brand.logo} alt={brand.name} width={175} className="max-h-10" />
	return (
		<svg width="175" height="40" viewBox="0 0 175 40" role="img" aria-label={brand.name}>
			<rect x="1" y="5" width="30" height="30" rx="6" className="fill-primary" />
			<path
				d="M8 14h10M8 20h6M8 26h4M15 27l4.5-5 3.5 2.500 3-4"
				fill="none"
				className="stroke-primary-content"
				strokeWidth="2"
				strokeLinecap="round"
				strokeLinejoin="round"
			/>
			{brand.name === HOUSE ? (
				<path
					fill="currentColor"
					transform="translate(-3 0)"
					d="M56 29L49.4 20.9L49.4 29L45.8 29L45.8 10.8L49.4 10.8L49.4 19L56 10.8L60.4 10.8L52.9 19.9L60.6 29ZM71.1 14.4Q72.8 14.4 74.1 15.1Q75.3 15.8 76 17.2Q76.8 18.6 76.8 20.6L76.8 29L73.1 29L73.1 21Q73.1 19.3 72.3 18.4Q71.4 17.5 69.9 17.5Q68.4 17.5 67.5 18.4Q66.7 19.3 66.7 21L66.7 29L63 29L63 9.8L66.7 9.8L66.7 16.4Q67.4 15.4 68.5 14.9Q69.7 14.4 71.1 14.4ZM79.3 21.8Q79.3 19.6 80.2 17.9Q81 16.2 82.5 15.3Q84 14.4 85.9 14.4Q87.5 14.4 88.7 15Q89.9 15.7 90.6 16.6L90.6 14.6L94.3 14.6L94.3 29L90.6 29L90.6 26.9Q89.9 27.9 88.7 28.6Q87.5 29.2 85.8 29.2Q84 29.2 82.5 28.3Q81 27.4 80.2 25.7Q79.3 24 79.3 21.8ZM90.6 21.8Q90.6 20.5 90.1 19.5Q89.6 18.6 88.7 18.1Q87.8 17.6 86.8 17.6Q85.8 17.6 84.9 18.1Q84.1 18.6 83.5 19.5Q83 20.4 83 21.8Q83 23.1 83.5 24Q84.1 25 84.9 25.5Q85.8 26 86.8 26Q87.8 26 88.7 25.5Q89.6 25 90.1 24.1Q90.6 23.1 90.6 21.8ZM102.1 17.6L102.1 24.6Q102.1 25.3 102.4 25.6Q102.8 25.9 103.6 25.9L105.3 25.9L105.3 29L103 29Q98.4 29 98.4 24.5L98.4 17.6L96.7 17.6L96.7 14.6L98.4 14.6L98.4 11L102.1 11L102.1 14.6L105.3 14.6L105.3 17.6ZM107 21.8Q107 19.6 107.9 17.9Q108.7 16.2 110.2 15.3Q111.7 14.4 113.6 14.4Q115.2 14.4 116.4 15Q117.6 15.7 118.3 16.6L118.3 14.6L122 14.6L122 29L118.3 29L118.3 26.9Q117.6 27.9 116.4 28.6Q115.2 29.2 113.5 29.2Q111.7 29.2 110.2 28.3Q108.7 27.4 107.9 25.7Q107 24 107 21.8ZM118.3 21.8Q118.3 20.5 117.8 19.5Q117.3 18.6 116.4 18.1Q115.5 17.6 114.5 17.6Q113.5 17.6 112.6 18.1Q111.8 18.6 111.3 19.5Q110.7 20.4 110.7 21.8Q110.7 23.1 111.3 24Q111.8 25 112.7 25.5Q113.5 26 114.5 26Q115.5 26 116.4 25.5Q117.3 25 117.8 24.1Q118.3 23.1 118.3 21.8Z"
				/>
			) : (
				<text
					x="42"
					y="27"
					fill="currentColor"
					fontSize="20"
					fontWeight="600"
					textLength={brand.name.length > 11 ? 131 : undefined}
					lengthAdjust="spacingAndGlyphs"
				>
					{brand.name}
				</text>
			)}
		</svg>
	)
}
