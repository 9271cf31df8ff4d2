SELECT CAST(make_date((year("date") * 4 + quarter("date") - 1) // 4, (year("date") * 4 + quarter("date") - 1) % 4 * 3 + 1, 1) AS TIMESTAMP) AS "date",
       MAX("temp_max") AS "MAX(temp_max)"
FROM "seattle_weather"
GROUP BY (year("date") * 4 + quarter("date") - 1)
ORDER BY "date" ASC
LIMIT 60;
-- []
