SELECT date_trunc('second', "date") AS "date",
       MAX("temp_max") AS "MAX(temp_max)"
FROM "seattle_weather"
GROUP BY date_trunc('second', "date")
ORDER BY "date" ASC NULLS LAST
LIMIT 60;
-- []
