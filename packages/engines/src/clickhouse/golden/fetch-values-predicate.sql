SELECT "weather" AS "weather_36404793"
FROM "seattle_weather"
WHERE (weather <> 'snow')
GROUP BY "weather"
ORDER BY "weather_36404793" ASC NULLS LAST
LIMIT 50000;
-- []
