SELECT CAST(make_date(year("date"), 1, 1) AS TIMESTAMP) AS "date",
       MAX("temp_max") AS "MAX(temp_max)"
FROM "seattle_weather"
GROUP BY year("date")
ORDER BY "date" ASC
LIMIT 60;
-- []
