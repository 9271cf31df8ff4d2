SELECT "weather" AS "weather"
FROM "seattle_weather"
WHERE (weather <> 'snow')
GROUP BY "weather"
ORDER BY "weather" ASC NULLS LAST
LIMIT 50000;
-- []
